import type { Delivery } from '../../core/delivery.ts'
import type { InSpan } from '../../core/span.ts'

/** The same delivery, with what waits for Slack in spans; nothing of what is said. */
export const withDeliverySpans = (delivery: Delivery, inSpan: InSpan): Delivery => {
  const inPost = <T>(step: string, questionId: string, work: () => Promise<T>): Promise<T> =>
    inSpan('post-to-slack', { step, questionId }, work)
  return {
    ...delivery,
    begin: placed => inPost('begin', placed.question.id, () => delivery.begin(placed)),
    finish: (placed, report) => inPost('finish', placed.question.id, () => delivery.finish(placed, report)),
    stopped: (placed, by) => inPost('stopped', placed.question.id, () => delivery.stopped(placed, by)),
  }
}
