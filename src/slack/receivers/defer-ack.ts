import type { App, Receiver, ReceiverEvent } from '@slack/bolt'

/**
 * Holds the acknowledgement of every event until its listeners are done, and drops it when one of them throws:
 * Slack then delivers again. Bolt acknowledges events before any listener runs, so without this a crash between
 * the acknowledgement and the commit would lose the question. HTTP has `processBeforeResponse` for the same end.
 */
export const deferAck = (receiver: Receiver): Receiver => ({
  init: app => {
    const deferring: App = Object.create(app, {
      processEvent: { value: (event: ReceiverEvent) => processThenAck(app, event) },
    })
    receiver.init(deferring)
  },
  start: (...args) => receiver.start(...args),
  stop: (...args) => receiver.stop(...args),
})

const processThenAck = async (app: App, event: ReceiverEvent): Promise<void> => {
  let acknowledged: { readonly response: unknown } | null = null
  await app.processEvent({
    ...event,
    ack: async response => {
      acknowledged ??= { response }
    },
  })
  const held = acknowledged as { readonly response: unknown } | null
  if (held) await event.ack(held.response as Parameters<ReceiverEvent['ack']>[0])
}
