import type { Delivery, LocatedQuestion } from '../../core/delivery.ts'

/**
 * A delivery that shows nothing of questions that were taken back: their messages belong to the question that came in
 * their place, or are gone, and no progress of theirs is shown either. What was taken back just while it was being
 * shown is taken away again.
 */
export const makeHideWithdrawn = (
  delivery: Delivery,
  isWithdrawn: (questionId: string) => Promise<boolean>,
): Delivery => {
  const unlessWithdrawn = async (questionId: string, show: () => Promise<void>): Promise<void> => {
    if (await isWithdrawn(questionId)) return delivery.settle(questionId)
    await show()
    if (!(await isWithdrawn(questionId))) return
    // A first message may have waited for Slack past the job that removes it.
    await delivery.settle(questionId)
    await delivery.remove(questionId)
  }
  const quiet =
    <Rest extends readonly unknown[]>(show: (placed: LocatedQuestion, ...rest: Rest) => Promise<void>) =>
    (placed: LocatedQuestion, ...rest: Rest): Promise<void> =>
      unlessWithdrawn(placed.question.id, () => show(placed, ...rest))
  return {
    ...delivery,
    begin: quiet(delivery.begin),
    finish: quiet(delivery.finish),
    stopped: quiet(delivery.stopped),
    refresh: questionId => unlessWithdrawn(questionId, () => delivery.refresh(questionId)),
  }
}
