import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { startTestSimulator } from './start-test-simulator.ts'
import { startTinyBot } from './start-tiny-bot.ts'

describe('events', () => {
  it('tells of a mention twice, with two ids about one message', async () => {
    await using simulator = await startTestSimulator()
    const heard: string[] = []
    await using _bot = await startTinyBot(simulator, app => {
      app.event('app_mention', async ({ event, body }) => {
        heard.push(`mention ${event.ts} ${body.event_id}`)
      })
      app.message(async ({ message, body }) => {
        heard.push(`message ${message.ts} ${body.event_id}`)
      })
    })
    const { ts } = await simulator.post({ by: 'ada', in: '#sales', text: '@querent how many orders?' })
    await simulator.settled()
    const kinds = heard.map(line => line.split(' ').slice(0, 2).join(' '))
    expect(kinds.toSorted()).toEqual([`mention ${ts}`, `message ${ts}`])
    expect(new Set(heard.map(line => line.split(' ')[2])).size).toBe(2)
  })

  it('tells of a direct message once, as one, with the mention left alone', async () => {
    await using simulator = await startTestSimulator()
    const heard: unknown[] = []
    await using _bot = await startTinyBot(simulator, app => {
      app.event('app_mention', async ({ event }) => void heard.push(event))
      app.message(async ({ message }) => void heard.push(message))
    })
    await simulator.post({ by: 'mira', text: '@querent hello' })
    await simulator.settled()
    expect(heard).toEqual([
      expect.objectContaining({ channel_type: 'im', text: `<@${simulator.bot.id}> hello` }),
    ])
  })

  it('carries threads, edits and deletions', async () => {
    await using simulator = await startTestSimulator()
    const heard: unknown[] = []
    await using _bot = await startTinyBot(simulator, app => {
      app.event('message', async ({ event }) => void heard.push(event))
    })
    const first = await simulator.post({ by: 'ada', in: '#general', text: 'hello' })
    await simulator.settled()
    await simulator.post({ by: 'jonas', in: '#general', thread: first.ts, text: 'hi' })
    await simulator.settled()
    await simulator.edit(first, 'hello all')
    await simulator.settled()
    await simulator.remove(first)
    await simulator.settled()
    expect(heard).toEqual([
      expect.objectContaining({ text: 'hello', channel_type: 'channel' }),
      expect.objectContaining({ text: 'hi', thread_ts: first.ts }),
      expect.objectContaining({ subtype: 'message_changed', hidden: true }),
      expect.objectContaining({ subtype: 'message_deleted', deleted_ts: first.ts }),
    ])
  })

  it('delivers again with number and reason until it is acknowledged', async () => {
    await using simulator = await startTestSimulator()
    const seen: unknown[] = []
    await using _bot = await startTinyBot(simulator, app => {
      app.message(async ({ context }) => {
        seen.push([context.retryNum, context.retryReason])
        if (seen.length < 3) throw new Error('not yet')
      })
    })
    await simulator.post({ by: 'ada', in: '#general', text: 'is anybody there?' })
    await simulator.settled()
    expect(seen).toEqual([
      [undefined, undefined],
      [1, 'http_error'],
      [2, 'http_error'],
    ])
    const deliveries = simulator.deliveries()
    expect(deliveries.map(({ status, outcome }) => [status, outcome])).toEqual([
      [500, 'refused'],
      [500, 'refused'],
      [200, 'acknowledged'],
    ])
    expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(1)
  })

  it('gives up after the last retry', async () => {
    await using simulator = await startTestSimulator()
    await simulator.post({ by: 'ada', in: '#general', text: 'nobody listens' })
    await simulator.settled()
    expect(simulator.deliveries().map(({ retry, outcome }) => [retry, outcome])).toEqual(
      [0, 1, 2, 3].map(retry => [retry, 'unreachable']),
    )
  })

  it('brings a message back to a bot that was away', async () => {
    await using simulator = await startTestSimulator({
      timing: { retryAfter: Array.from({ length: 50 }, () => 100) },
    })
    const posted = await simulator.post({ by: 'ada', in: '#general', text: 'are you back?' })
    const heard: unknown[] = []
    await using _bot = await startTinyBot(simulator, app => {
      app.message(async ({ message, context }) => void heard.push([message.ts, context.retryReason]))
    })
    await simulator.settled()
    expect(heard).toEqual([[posted.ts, 'connection_failed']])
  })

  it('does not deliver again to a bot that asks for that', async () => {
    await using simulator = await startTestSimulator()
    const server = createServer((_, response) => {
      response.writeHead(500, { 'x-slack-no-retry': '1' }).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    simulator.setBotUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await simulator.post({ by: 'ada', in: '#general', text: 'no' })
    await simulator.settled()
    server.closeAllConnections()
    server.close()
    expect(simulator.deliveries()).toEqual([expect.objectContaining({ status: 500, retry: 0 })])
  })

  it('calls an answer that takes too long a time-out', async () => {
    await using simulator = await startTestSimulator({ timing: { answerWithin: 30, retryAfter: [0] } })
    const gate = Promise.withResolvers<void>()
    await using _bot = await startTinyBot(simulator, app => {
      app.message(async () => gate.promise)
    })
    await simulator.post({ by: 'ada', in: '#general', text: 'slow' })
    await simulator.settled()
    gate.resolve()
    expect(simulator.deliveries().map(({ outcome, retryReason }) => [outcome, retryReason])).toEqual([
      ['timed-out', null],
      ['timed-out', 'http_timeout'],
    ])
  })

  it('is refused by a bot that knows another secret', async () => {
    await using simulator = await startTestSimulator({ timing: { retryAfter: [] } })
    let heard = 0
    await using _bot = await startTinyBot(
      simulator,
      app => {
        app.message(async () => {
          heard += 1
        })
      },
      { signingSecret: 'another secret' },
    )
    await simulator.post({ by: 'ada', in: '#general', text: 'hello' })
    await simulator.settled()
    expect(simulator.deliveries().map(({ status }) => status)).toEqual([401])
    expect(heard).toBe(0)
  })

  it('can double, reverse and delay what it delivers', async () => {
    await using simulator = await startTestSimulator()
    const heard: string[] = []
    await using _bot = await startTinyBot(simulator, app => {
      app.message(async ({ message }) => {
        if (message.subtype === undefined) heard.push(message.text ?? '')
      })
    })
    simulator.setEventFaults({ copies: 2 })
    await simulator.post({ by: 'ada', in: '#general', text: 'twice' })
    await simulator.settled()
    expect(heard).toEqual(['twice', 'twice'])
    heard.length = 0
    simulator.setEventFaults({ reverseWithinMs: 500 })
    await simulator.post({ by: 'ada', in: '#general', text: 'first' })
    await simulator.post({ by: 'ada', in: '#general', text: 'second' })
    await simulator.settled()
    const order = simulator.deliveries().slice(-2)
    expect(order.map(({ body }) => (body as { event: { text: string } }).event.text)).toEqual([
      'second',
      'first',
    ])
    simulator.setEventFaults({ delayMs: 40 })
    const posted = await simulator.post({ by: 'ada', in: '#general', text: 'late' })
    await simulator.settled()
    const [delivery] = simulator.deliveries().slice(-1)
    expect(delivery?.at).toBeGreaterThanOrEqual((posted.history[0]?.at ?? 0) + 35)
  })

  it('tells who opened the Home tab, and shows what is published to them alone', async () => {
    await using simulator = await startTestSimulator()
    await using _bot = await startTinyBot(simulator, app => {
      app.event('app_home_opened', async ({ event, client }) => {
        await client.views.publish({
          user_id: event.user,
          view: {
            type: 'home',
            blocks: [{ type: 'header', text: { type: 'plain_text', text: `Hello, ${event.tab}` } }],
          },
        })
      })
    })
    simulator.openHome('ada')
    await simulator.settled()
    expect(simulator.home('ada')?.view.blocks).toEqual([
      expect.objectContaining({ text: { type: 'plain_text', text: 'Hello, home' } }),
    ])
    expect(simulator.home('mira')).toBeNull()
  })
})
