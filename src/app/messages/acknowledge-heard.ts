import type { Delivery } from '../../core/delivery.ts'
import type { HearMessage } from '../../core/heard-message.ts'

/** Hears a message, and shows at once that it was taken for a question: the turn of the question may be a while off. */
export const makeAcknowledgeHeard =
  (deps: { readonly hear: HearMessage; readonly delivery: Pick<Delivery, 'acknowledge'> }): HearMessage =>
  async message => {
    const heard = await deps.hear(message)
    if (heard === 'question') deps.delivery.acknowledge(message.place)
    return heard
  }
