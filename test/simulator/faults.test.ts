import { LogLevel, WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { makeDrawEventFault } from '../../simulator/delivery/event-faults.ts'
import { makeDrawFault } from '../../simulator/gateway/draw-fault.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { startTestSimulator } from './start-test-simulator.ts'
import { startTinyBot } from './start-tiny-bot.ts'

const clientOf = (simulator: Simulator) =>
  new WebClient(simulator.botToken, {
    slackApiUrl: simulator.apiUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    logLevel: LogLevel.ERROR,
  })
const refusal = (error: string) => expect.objectContaining({ data: expect.objectContaining({ error }) })

/** A stream that ada's question in #sales is answered with. */
const beginStream = async (simulator: Simulator) => {
  const client = clientOf(simulator)
  const question = await simulator.post({ by: 'ada', in: '#sales', text: 'a question' })
  const { channel, ts } = question
  const stop = {
    type: 'actions',
    elements: [
      { type: 'button', action_id: 'stop', value: 'q1', text: { type: 'plain_text', text: 'Stop' } },
    ],
  } as const
  const started = await client.chat.startStream({
    channel,
    thread_ts: ts,
    recipient_team_id: simulator.team.id,
    recipient_user_id: question.author,
    chunks: [{ type: 'blocks', blocks: [stop] }],
  })
  return { client, question, at: { channel, ts: String(started.ts) } }
}

describe('a message that streams', () => {
  it('takes no change until it is stopped', async () => {
    await using simulator = await startTestSimulator()
    const { client, at } = await beginStream(simulator)
    const change = () => client.chat.update({ ...at, text: 'the end', blocks: [] })
    await expect(change()).rejects.toEqual(refusal('streaming_state_conflict'))
    await client.chat.stopStream(at)
    await change()
    expect(simulator.messages().at(-1)).toMatchObject({ text: 'the end', blocks: [], stream: null })
  })

  it('shows its blocks to everyone in the thread', async () => {
    await using simulator = await startTestSimulator()
    const { client, question } = await beginStream(simulator)
    const { messages } = await client.conversations.replies({ channel: question.channel, ts: question.ts })
    expect(JSON.stringify(messages?.[1]?.blocks)).toContain('"value":"q1"')
  })

  it('expires five minutes after it began, by the clock of the workspace', async () => {
    let now = Date.now()
    await using simulator = await startTestSimulator({ now: () => new Date(now) })
    const { client, at } = await beginStream(simulator)
    now += 5 * 60_000 - 1
    await client.chat.appendStream({ ...at, markdown_text: 'still there' })
    now += 1
    const gone = refusal('message_not_in_streaming_state')
    await expect(client.chat.appendStream({ ...at, markdown_text: 'too late' })).rejects.toEqual(gone)
    await expect(client.chat.stopStream(at)).rejects.toEqual(gone)
    await client.chat.update({ ...at, text: 'the end' })
    expect(simulator.messages().at(-1)?.text).toBe('the end')
  })

  it('may be made to expire by a fault', async () => {
    await using simulator = await startTestSimulator()
    const { client, at } = await beginStream(simulator)
    simulator.setFaults([{ method: 'chat.appendStream', kind: 'expire-stream', times: 1 }])
    await expect(client.chat.appendStream({ ...at, markdown_text: 'x' })).rejects.toEqual(
      refusal('message_not_in_streaming_state'),
    )
    await client.chat.update({ ...at, text: 'the end' })
  })
})

describe('faults by chance', () => {
  const draws = (seed: number, method = 'chat.update') => {
    const draw = makeDrawFault({ seed, share: 0.3 })
    return Array.from({ length: 1_000 }, () => draw(method)?.kind ?? null)
  }

  it('are the same for the same seed, and others for another', () => {
    expect(draws(7)).toEqual(draws(7))
    expect(draws(7)).not.toEqual(draws(8))
  })

  it('come about as often as was asked for, in every way that the method can go wrong', () => {
    const found = draws(7).filter(kind => kind !== null)
    expect(found.length).toBeGreaterThan(250)
    expect(found.length).toBeLessThan(350)
    expect([...new Set(found)].toSorted()).toEqual([
      'drop-response',
      'error',
      'hang',
      'rate-limited',
      'server-error',
    ])
    expect(draws(7, 'auth.test').every(kind => kind === null)).toBe(true)
  })

  it('are played beside those that were asked for', async () => {
    await using simulator = await startTestSimulator()
    const client = clientOf(simulator)
    const channel = simulator.channels[0]?.id ?? ''
    simulator.planFaults({ seed: 1, share: 1 })
    simulator.setFaults([{ method: 'chat.postMessage', kind: 'error', error: 'fatal_error', times: 1 }])
    const post = () => client.chat.postMessage({ channel, text: 'x' })
    await expect(post()).rejects.toEqual(refusal('fatal_error'))
    await expect(post()).rejects.toThrow()
    simulator.planFaults(null)
    await post()
    expect(simulator.calls().map(({ fault }) => fault !== null)).toEqual([true, true, false])
  })
})

describe('events under a plan', () => {
  it('are doubled, held back and unheard by the seed', () => {
    const draw = makeDrawEventFault({ seed: 3, share: 0.5 })
    const drawn = Array.from({ length: 200 }, draw)
    const again = makeDrawEventFault({ seed: 3, share: 0.5 })
    expect(drawn).toEqual(Array.from({ length: 200 }, again))
    expect(new Set(drawn.map(({ copies }) => copies))).toEqual(new Set([1, 2, 3]))
    expect(drawn.some(({ delayMs }) => delayMs > 500)).toBe(true)
    expect(drawn.some(({ unheard }) => unheard)).toBe(true)
  })

  it('all reach the bot, some more than once and as retries', async () => {
    await using simulator = await startTestSimulator()
    const heard: string[] = []
    let retries = 0
    await using _bot = await startTinyBot(simulator, app => {
      app.message(async ({ message, context }) => {
        if (message.subtype === undefined) heard.push(message.text ?? '')
        if (context.retryNum) retries += 1
      })
    })
    simulator.setEventFaults({ plan: { seed: 5, share: 0.5 } })
    const said = Array.from({ length: 12 }, (_, i) => `message ${i}`)
    for (const text of said) await simulator.post({ by: 'ada', in: '#general', text })
    await simulator.settled()
    expect([...new Set(heard)].toSorted()).toEqual(said.toSorted())
    expect(heard.length).toBeGreaterThan(said.length)
    expect(retries).toBeGreaterThan(0)
  })
})
