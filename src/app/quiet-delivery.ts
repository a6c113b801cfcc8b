import type { Delivery, PlacedQuestion } from '../core/delivery.ts'

/**
 * A delivery that shows nothing of questions that were taken back: their messages belong to the question that came in
 * their place, or are gone.
 */
export const makeQuietDelivery = (
  delivery: Delivery,
  isWithdrawn: (questionId: string) => Promise<boolean>,
): Delivery => {
  const unlessWithdrawn =
    <Rest extends readonly unknown[]>(show: (placed: PlacedQuestion, ...rest: Rest) => Promise<void>) =>
    async (placed: PlacedQuestion, ...rest: Rest): Promise<void> => {
      if (!(await isWithdrawn(placed.question.id))) await show(placed, ...rest)
    }
  return {
    ...delivery,
    begin: unlessWithdrawn(delivery.begin),
    finish: unlessWithdrawn(delivery.finish),
    stopped: unlessWithdrawn(delivery.stopped),
    refresh: async questionId => {
      if (!(await isWithdrawn(questionId))) await delivery.refresh(questionId)
    },
  }
}
