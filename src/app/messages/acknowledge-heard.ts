import type { Delivery } from '../../core/delivery.ts'
import type { ReceiveMessage } from '../../core/heard-message.ts'

/** Hears a message, and shows at once that it was taken for a question: the turn of the question may be a while off. */
export const makeAcknowledgeMessage =
  (deps: {
    readonly hear: ReceiveMessage
    readonly delivery: Pick<Delivery, 'acknowledge'>
  }): ReceiveMessage =>
  async message => {
    const heard = await deps.hear(message)
    if (heard === 'question') deps.delivery.acknowledge(message.place)
    return heard
  }
