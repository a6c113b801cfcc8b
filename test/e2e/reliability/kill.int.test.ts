import { describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../../simulator/shapes/message.ts'
import { cells, isQuestionBack, isTable } from '../message-parts.ts'
import { openWorkspace, type TestWorkspace } from '../open-workspace.ts'

/**
 * The bot dies without a word at a moment that the test makes sure of: it holds a table of the store, or lets Slack
 * hang, and looks into the store to know how far the bot is. What comes after is a restart, and one answer.
 */

/** A dead worker's job is missed after its heartbeat of 20 s and found by a look every 10 s; then come retries' delays. */
const FOUND_AGAIN_MS = 75_000
const MINUTES = 300_000

const clear = '@querent how many bicycles are there by kind?'
const vague = '@querent number of hires by country'

const eventOf = (body: unknown) => (body as { readonly event?: { readonly ts?: string } }).event

const questionOf = async ({ watcher }: TestWorkspace, { ts }: RecordedMessage) => {
  const [row] = await watcher.rows(
    "select id, status from querent.questions where place ->> 'message' = $1",
    [ts],
  )
  return row as { readonly id: string; readonly status: string } | undefined
}

/** Resolves when no job of the queues is left to do, so that nothing more will be said. */
const allDone = ({ watcher }: TestWorkspace) =>
  watcher.until(
    `select 1 where not exists (select from querent_jobs.job
     where name in ('question', 'resume') and state in ('created', 'retry', 'active'))`,
    [],
    FOUND_AGAIN_MS,
  )

/** The one reply of each question shows bicycles by kind, and Slack found nothing wrong with anything. */
const expectOneAnswerEach = async (
  workspace: TestWorkspace,
  questions: readonly RecordedMessage[],
): Promise<void> => {
  for (const question of questions) {
    const reply = await workspace.reply(question, isTable, FOUND_AGAIN_MS)
    expect(cells(reply)).toHaveLength(4)
  }
  await allDone(workspace)
  for (const question of questions) {
    expect(workspace.replies(question)).toHaveLength(1)
    expect((await questionOf(workspace, question))?.status).toBe('answered')
  }
  expect(workspace.simulator.problems()).toEqual([])
}

describe.concurrent('a bot that is killed and started again', { timeout: MINUTES }, () => {
  it('while it works on one question and has another in the queue answers both, once', async () => {
    await using workspace = await openWorkspace({ workers: 1 })
    const { watcher, bot } = workspace
    const first = await bot.start()
    const lock = await watcher.lock('querent.saved_results')
    const running = await workspace.ask(clear)
    await lock.blocks()
    const queued = await workspace.ask(clear)
    await workspace.simulator.settled()
    await first.end('SIGKILL')
    expect((await questionOf(workspace, running))?.status).toBe('working')
    expect((await questionOf(workspace, queued))?.status).toBe('queued')
    expect(workspace.replies(queued)).toEqual([])
    await lock.release()
    await bot.start()
    await expectOneAnswerEach(workspace, [running, queued])
  })

  it('before its first message was posted answers once', async () => {
    await using workspace = await openWorkspace()
    const { simulator, watcher, bot } = workspace
    const first = await bot.start()
    simulator.setFaults([{ method: 'chat.startStream', kind: 'hang', ms: 60_000, times: 1 }])
    const question = await workspace.ask(clear)
    await watcher.until('select from querent.outbound_messages where ts is null')
    await simulator.until(() => simulator.calls().some(({ fault }) => fault === 'hang'), 20_000)
    await first.end('SIGKILL')
    expect(workspace.replies(question)).toEqual([])
    await bot.start()
    await expectOneAnswerEach(workspace, [question])
  })

  it('after its first message was posted but before it knew so answers in that message', async () => {
    await using workspace = await openWorkspace()
    const { simulator, watcher, bot } = workspace
    const first = await bot.start()
    simulator.setFaults([
      { method: 'chat.startStream', kind: 'drop-response', times: 1 },
      { method: 'conversations.replies', kind: 'hang', ms: 60_000, times: 1 },
    ])
    const question = await workspace.ask(clear)
    const posted = await workspace.reply(question, () => true)
    await first.end('SIGKILL')
    expect(await watcher.rows('select ts from querent.outbound_messages')).toEqual([{ ts: null }])
    simulator.setFaults([])
    await bot.start()
    await expectOneAnswerEach(workspace, [question])
    expect(workspace.replies(question)[0]?.ts).toBe(posted.ts)
  })

  it('after the answer was stored but before it was shown shows it once', async () => {
    await using workspace = await openWorkspace()
    const { simulator, watcher, bot } = workspace
    const first = await bot.start()
    simulator.setFaults([{ method: 'chat.update', kind: 'hang', ms: 60_000, times: 100 }])
    const question = await workspace.ask(clear)
    await watcher.until('select from querent.answers')
    await first.end('SIGKILL')
    expect(workspace.replies(question).map(isTable)).toEqual([false])
    simulator.setFaults([])
    await bot.start()
    await expectOneAnswerEach(workspace, [question])
    expect(await watcher.rows('select count(*)::int as answers from querent.answers')).toEqual([
      { answers: 1 },
    ])
  })

  it('while it waits for a reply goes on when the reply comes', async () => {
    await using workspace = await openWorkspace()
    const { simulator, bot } = workspace
    const first = await bot.start()
    const question = await workspace.ask(vague)
    const back = await workspace.reply(question, isQuestionBack)
    await allDone(workspace)
    await first.end('SIGKILL')
    await bot.start()
    await simulator.click({ by: 'ada', on: back, label: 'Return country' })
    await expectOneAnswerEach(workspace, [question])
    expect(cells(workspace.replies(question)[0] ?? question)).toContainEqual(['Portugal', '250'])
  })

  it('while it was at work on the reply goes on with it', async () => {
    await using workspace = await openWorkspace()
    const { simulator, watcher, bot } = workspace
    const first = await bot.start()
    const question = await workspace.ask(vague)
    const back = await workspace.reply(question, isQuestionBack)
    await allDone(workspace)
    const lock = await watcher.lock('querent.answers')
    await simulator.click({ by: 'ada', on: back, label: 'Return country' })
    await lock.blocks()
    await first.end('SIGKILL')
    await lock.release()
    await bot.start()
    await expectOneAnswerEach(workspace, [question])
    expect(cells(workspace.replies(question)[0] ?? question)).toContainEqual(['Portugal', '250'])
  })

  it('between an event and its acknowledgement hears it again from Slack', async () => {
    // Slack tries three times; the pauses are shortened, but long enough for a bot to start in.
    await using workspace = await openWorkspace({ timing: { retryAfter: [0, 10_000, 30_000] } })
    const { simulator, watcher, bot } = workspace
    const first = await bot.start()
    const lock = await watcher.lock('querent.questions')
    const question = await workspace.ask(clear)
    await lock.blocks()
    await first.end('SIGKILL')
    expect(simulator.deliveries().filter(({ outcome }) => outcome === 'acknowledged')).toEqual([])
    await lock.release()
    expect(await questionOf(workspace, question)).toBeUndefined()
    await bot.start()
    await expectOneAnswerEach(workspace, [question])
    await simulator.settled()
    const heard = simulator
      .deliveries()
      .filter(({ body, outcome }) => eventOf(body)?.ts === question.ts && outcome === 'acknowledged')
    expect(heard.length).toBeGreaterThan(0)
    expect(heard.every(({ retry }) => retry > 0)).toBe(true)
    expect(workspace.replies(question)).toHaveLength(1)
  })
})
