import { App, LogLevel, type Receiver, type ReceiverEvent } from '@slack/bolt'
import { expect, it } from 'vitest'
import { deferAck } from '../../src/slack/receivers.ts'

/** A receiver that hands over one event when told to, as Socket Mode does. */
class OneEventReceiver implements Receiver {
  app: App | null = null

  init(app: App): void {
    this.app = app
  }

  start = async (): Promise<void> => {}
  stop = async (): Promise<void> => {}

  deliver(ack: () => Promise<void>): Promise<void> {
    const body = {
      type: 'event_callback',
      team_id: 'T1',
      event: { type: 'app_mention', channel: 'C1', user: 'U1', text: 'hi', ts: '1.1' },
    }
    return this.app?.processEvent({ body, ack } as ReceiverEvent) ?? Promise.reject(new Error('no app'))
  }
}

const appOver = (receiver: Receiver): App =>
  new App({
    receiver,
    logLevel: LogLevel.ERROR,
    authorize: async () => ({ botId: 'B1', botUserId: 'U0', botToken: 'xoxb-none' }),
  })

it('acknowledges only after the listener is done', async () => {
  const inner = new OneEventReceiver()
  const app = appOver(deferAck(inner))
  const order: string[] = []
  app.event('app_mention', async () => {
    await new Promise(resolve => setImmediate(resolve))
    order.push('stored')
  })
  await inner.deliver(async () => void order.push('acknowledged'))
  expect(order).toEqual(['stored', 'acknowledged'])
})

it('does not acknowledge when the listener throws', async () => {
  const inner = new OneEventReceiver()
  const app = appOver(deferAck(inner))
  app.error(async error => {
    throw error
  })
  app.event('app_mention', async () => {
    throw new Error('the store is away')
  })
  let acknowledged = false
  const delivered = inner.deliver(async () => {
    acknowledged = true
  })
  await expect(delivered).rejects.toThrow('the store is away')
  expect(acknowledged).toBe(false)
})
