import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Simulator } from '../../simulator/simulator.ts'
import type { LocatedQuestion } from '../../src/domain/message.ts'
import type { Log } from '../../src/domain/operations/telemetry.ts'
import { plainReply } from '../../src/slack/block-kit/blocks.ts'
import { makeSlackClient } from '../../src/slack/delivery/client.ts'
import {
  makeFindInThread,
  makePostFirstMessage,
  makeStartStream,
} from '../../src/slack/delivery/first-message.ts'
import { makeUpdateMessage } from '../../src/slack/delivery/post-message.ts'
import { makeProgress } from '../../src/slack/delivery/progress.ts'
import { makeRefusedBlocks } from '../../src/slack/delivery/refused-blocks.ts'
import { initialTimeline, progressView } from '../../src/slack/views/progress.ts'
import { startTestSimulator } from '../simulator/start-test-simulator.ts'
import { makeQuestion } from '../store/setup/make-question.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

/** Delivery against the simulated Slack, with the log of what was posted in a real store. */

let opened: Awaited<ReturnType<typeof openTestStore>>

let simulator: Simulator & AsyncDisposable

let now = Date.now()

beforeAll(async () => {
  opened = await openTestStore()
  simulator = await startTestSimulator({ now: () => new Date(now) })
})

afterAll(async () => {
  await simulator?.[Symbol.asyncDispose]()
  await opened?.[Symbol.asyncDispose]()
})

const end = plainReply({ reason: 'Nothing matches.', nextStep: 'Ask for boats.' })

/** One process of the bot, as far as delivery goes. */
const open = () => {
  const warnings: string[] = []
  const keep = (_fields: unknown, message: string): void => void warnings.push(message)
  const log: Log = { debug: () => {}, info: () => {}, warn: keep, error: keep }
  const slack = { token: simulator.botToken, apiUrl: simulator.apiUrl }
  const client = makeSlackClient(slack)
  const poster = makeSlackClient({ ...slack, retries: 0, failWhenLimited: true })
  const update = makeUpdateMessage({ client, refused: makeRefusedBlocks(() => new Date()), log })
  const progress = makeProgress({ client: poster, update, now: () => new Date(), log })
  const postFirst = makePostFirstMessage({
    findInThread: makeFindInThread({ client, log }),
    poster,
    startStream: makeStartStream(poster),
    outbound: opened.store.repositories.outboundMessages,
    refused: makeRefusedBlocks(() => new Date()),
    now: () => new Date(),
    log,
  })
  const begin = async (placed: LocatedQuestion) => {
    const { id } = placed.question
    const first = await postFirst(placed, progressView(initialTimeline, id), { stream: true })
    progress.open(id, placed.location.channel, first)
    return first
  }
  const finish = async (placed: LocatedQuestion) => {
    await progress.close(placed.question.id)
    const { ts } = await postFirst(placed, end)
    await update({ channel: placed.location.channel, ts }, end)
  }
  return { begin, progress, finish, postFirst, update, warnings }
}

const ask = async (): Promise<LocatedQuestion> => {
  const { channel, ts, author } = await simulator.post({ by: 'ada', in: '#sales', text: 'a question' })
  const question = makeQuestion({ id: randomUUID(), key: randomUUID(), askedBy: author })
  const place = { team: simulator.team.id, channel, thread: ts, message: ts }
  await opened.store.repositories.questions.insert(question, place)
  return { question, location: place }
}

const replies = ({ location: place }: LocatedQuestion) =>
  simulator.thread(place.channel, place.thread).slice(1)

const onlyReply = (placed: LocatedQuestion) => {
  expect(replies(placed)).toHaveLength(1)
  return replies(placed)[0]
}

const expectEnd = (placed: LocatedQuestion) =>
  expect(onlyReply(placed)).toMatchObject({ text: 'Nothing matches. Ask for boats.', stream: null })

const calls = (method: string) => simulator.calls().filter(call => call.method === method).length

describe('the first message', () => {
  it('is a stream with timeline and Stop, and is replaced by the outcome', async () => {
    const placed = await ask()
    const { begin, finish, progress } = open()
    await begin(placed)
    expect(onlyReply(placed)).toMatchObject({
      stream: { state: 'streaming', tasks: { length: 5 } },
      blocks: [{ elements: [{ text: { text: 'Stop' }, value: placed.question.id }] }],
    })
    progress.event(placed.question.id, { step: 'check', detail: 'Checking p1' })
    const shown = await simulator.until(() =>
      replies(placed)[0]?.stream?.tasks.find(({ id, details }) => id === 'check' && details),
    )
    expect(shown).toMatchObject({ status: 'in_progress', details: 'Checking p1' })
    await finish(placed)
    expectEnd(placed)
    expect(onlyReply(placed)?.blocks.some(({ type }) => type === 'actions')).toBe(false)
    expect(simulator.problems()).toEqual([])
  })

  it.each([
    ['limited', { kind: 'rate-limited', retryAfterSeconds: 30 }],
    ['refused', { kind: 'error', error: 'method_not_supported_for_channel_type' }],
  ] as const)('is posted as a message if streaming is %s', async (_, fault) => {
    const placed = await ask()
    simulator.setFaults([{ method: 'chat.startStream', times: 1, ...fault }])
    const { begin, finish, progress } = open()
    await begin(placed)
    expect(onlyReply(placed)).toMatchObject({ stream: null, text: 'Reading the question …' })
    progress.event(placed.question.id, { step: 'draft', detail: 'Looking again' })
    await simulator.until(() => replies(placed)[0]?.text === 'Writing queries …')
    await finish(placed)
    expectEnd(placed)
  })

  it.each(['chat.startStream', 'chat.postMessage'])(
    "is found and not sent again if only Slack's reply was lost (%s)",
    async method => {
      const placed = await ask()
      simulator.setFaults([
        ...(method === 'chat.postMessage'
          ? [{ method: 'chat.startStream', times: 1, kind: 'error', error: 'not_allowed' } as const]
          : []),
        { method, times: 1, kind: 'drop-response' },
      ])
      const { begin, finish } = open()
      await begin(placed)
      await finish(placed)
      expectEnd(placed)
    },
  )

  it('is found by the next process if the one that posted it died', async () => {
    const placed = await ask()
    const first = await open().begin(placed)
    // What a process that dies between the two leaves behind: a claim without a `ts`.
    const { rows } = await opened.store.inTransaction(tx =>
      opened.store.executeIn(
        tx,
        'update querent.outbound_messages set ts = null, posted_at = null where question_id = $1 returning ts',
        [placed.question.id],
      ),
    )
    expect(rows).toEqual([{ ts: null }])
    const next = open()
    expect((await next.begin(placed)).ts).toBe(first.ts)
    await next.finish(placed)
    expectEnd(placed)
    expect(next.warnings).toEqual([])
  })

  it('is sent again, with a log line, if Slack cannot be searched', async () => {
    const placed = await ask()
    const { postFirst } = open()
    await opened.store.repositories.outboundMessages.claim({
      questionId: placed.question.id,
      step: 'reply',
      channel: placed.location.channel,
      payload: {},
      claimedAt: new Date(),
    })
    simulator.setFaults([
      { method: 'conversations.replies', times: 1, kind: 'error', error: 'missing_scope' },
    ])
    const next = open()
    await next.finish(placed)
    expectEnd(placed)
    expect(next.warnings).toContain('unknown whether the first message was posted; posting it again')
    expect((await postFirst(placed, end)).ts).toBe(onlyReply(placed)?.ts)
  })

  it('waits as long as Slack asks, without searching for a missing message', async () => {
    const placed = await ask()
    simulator.setFaults([
      { method: 'chat.postMessage', times: 2, kind: 'rate-limited', retryAfterSeconds: 1 },
    ])
    const looked = calls('conversations.replies')
    await open().postFirst(placed, end)
    expectEnd(placed)
    expect(calls('conversations.replies')).toBe(looked)
  })
})

describe('a stream', () => {
  it('continues as message updates when it expires after five minutes', async () => {
    const placed = await ask()
    const { begin, finish, progress } = open()
    await begin(placed)
    now += 5 * 60_000
    progress.event(placed.question.id, { step: 'draft', detail: 'one' })
    await simulator.until(() => replies(placed)[0]?.text === 'Writing queries …', 10_000)
    expect(onlyReply(placed)?.stream).toBeNull()
    await finish(placed)
    expectEnd(placed)
  })

  it('is ended by the next process if its own died', async () => {
    const placed = await ask()
    await open().begin(placed)
    const next = open()
    await next.begin(placed)
    next.progress.event(placed.question.id, { step: 'check', detail: 'Checking p1' })
    await simulator.until(() => replies(placed)[0]?.text === 'Checking queries against the database …')
    await next.finish(placed)
    expectEnd(placed)
  })

  it('is replaced by the outcome even if stopping it fails', async () => {
    for (const kind of ['drop-response', 'server-error', 'expire-stream'] as const) {
      const placed = await ask()
      const { begin, finish } = open()
      await begin(placed)
      simulator.setFaults([{ method: 'chat.stopStream', times: 1, kind }])
      await finish(placed)
      expectEnd(placed)
    }
  })
})

describe('progress', () => {
  it('is updated at most once a second, and never after the outcome', async () => {
    const placed = await ask()
    const { begin, finish, progress } = open()
    await begin(placed)
    const before = calls('chat.appendStream')
    for (let n = 0; n < 50; n += 1) {
      progress.event(placed.question.id, { step: 'check', detail: `Checking p${n}` })
    }
    await simulator.until(() =>
      replies(placed)[0]?.stream?.tasks.some(({ details }) => details === 'Checking p49'),
    )
    await expect.poll(() => calls('chat.appendStream') - before).toBe(1)
    progress.event(placed.question.id, { step: 'choose', detail: 'not shown' })
    await finish(placed)
    progress.event(placed.question.id, { step: 'choose', detail: 'too late' })
    expectEnd(placed)
    expect(calls('chat.appendStream') - before).toBe(1)
  })

  it('is retried with the next update, and never fails the work', async () => {
    const placed = await ask()
    const { begin, finish, progress } = open()
    await begin(placed)
    simulator.setFaults([{ method: 'chat.appendStream', times: 1, kind: 'server-error' }])
    progress.event(placed.question.id, { step: 'draft', detail: 'Looking again' })
    await simulator.until(
      () => replies(placed)[0]?.stream?.tasks.some(({ details }) => details === 'Looking again'),
      10_000,
    )
    await finish(placed)
    expectEnd(placed)
  })
})

describe('an outcome that Slack refuses', () => {
  const table = {
    text: 'Two cities',
    blocks: [
      {
        type: 'table' as const,
        rows: [
          [
            { type: 'raw_text' as const, text: 'city' },
            { type: 'raw_text' as const, text: 'tents' },
          ],
          [
            { type: 'raw_text' as const, text: 'Oslo <!channel>' },
            { type: 'raw_text' as const, text: '12' },
          ],
        ],
      },
      {
        type: 'actions' as const,
        elements: [
          {
            type: 'button' as const,
            action_id: 'show_sql',
            text: { type: 'plain_text' as const, text: 'Show SQL' },
            value: 'q',
          },
        ],
      },
    ],
  }
  const sendAfter = async (refusals: number, error: string) => {
    const placed = await ask()
    const { begin, update, progress } = open()
    const { ts } = await begin(placed)
    await progress.close(placed.question.id)
    simulator.setFaults([{ method: 'chat.update', times: refusals, kind: 'error', error }])
    await update({ channel: placed.location.channel, ts }, table)
    return onlyReply(placed)
  }
  const types = (message: Awaited<ReturnType<typeof sendAfter>>) => message?.blocks.map(({ type }) => type)

  it('is simplified step by step, and never dropped', async () => {
    expect(types(await sendAfter(0, 'invalid_blocks'))).toEqual(['table', 'actions'])
    const monospace = await sendAfter(1, 'invalid_blocks')
    expect(types(monospace)).toEqual(['section', 'actions'])
    expect(JSON.stringify(monospace?.blocks[0]?.text)).toContain(
      'city             tents\\nOslo &lt;!channel&gt;  12',
    )
    expect(types(await sendAfter(2, 'msg_blocks_too_long'))).toEqual(['context', 'actions'])
    expect(types(await sendAfter(3, 'invalid_blocks'))).toEqual(['section', 'actions'])
    expect(await sendAfter(4, 'msg_too_long')).toMatchObject({ text: 'Two cities', blocks: [] })
    expect(await sendAfter(5, 'msg_too_long')).toMatchObject({ text: 'Two cities', blocks: [] })
  })

  it('is not simplified if the content is not the reason', async () => {
    await expect(sendAfter(1, 'channel_not_found')).rejects.toThrow('channel_not_found')
  })
})
