import { previousQuestionId } from '../../core/again-key.ts'
import type { AnswerReport, Outcome } from '../../core/answer.ts'
import type { Delivery, LocatedQuestion } from '../../core/delivery.ts'
import type { Log } from '../../core/log.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'
import type { NotifyPrivately } from '../messages/tell-refused.ts'

/**
 * A delivery that keeps an answer whose running again came to none: where the run failed, was refused or stopped, the
 * message goes back to the question before, whose answer is shown as it was, with its age, and whoever pressed is told
 * alone why. Whoever stopped it knows. All of it may be done twice.
 */
export const makeRestorePreviousAnswer = (
  delivery: Delivery,
  deps: {
    readonly inTransaction: InTransaction
    /** Whether the rows of an answer are still there to be shown. */
    readonly canBeShown: (questionId: string) => Promise<boolean>
    /** False when it was taken back before. */
    readonly withdraw: (questionId: string, tx: Tx) => Promise<boolean>
    readonly isWithdrawn: (questionId: string, tx?: Tx) => Promise<boolean>
    /** Has a question that was taken back stand again. */
    readonly reinstate: (questionId: string, tx: Tx) => Promise<void>
    /** Lets the message that shows one question show another. False when none is known to be posted. */
    readonly handOver: (from: string, to: string, tx: Tx) => Promise<boolean>
    readonly tellAlone: NotifyPrivately
    readonly log: Log
  },
): Delivery => {
  /** False where there is nothing to go back to, or the message belongs to a third question by now. */
  const giveBack = async (again: string, before: string): Promise<boolean> => {
    if (!(await deps.canBeShown(before))) return false
    return deps.inTransaction(async tx => {
      // An earlier attempt has given it back; or an edit or a deletion has taken back both.
      if (!(await deps.withdraw(again, tx))) return !(await deps.isWithdrawn(before, tx))
      if (await deps.handOver(again, before, tx)) {
        await deps.reinstate(before, tx)
        return true
      }
      await deps.reinstate(again, tx)
      return false
    })
  }

  /** An attempt that died after it gave the message back may not have shown the answer; what the next comes to is late. */
  const wasGivenBack = async (again: string, before: string): Promise<boolean> =>
    (await deps.isWithdrawn(again)) && !(await deps.isWithdrawn(before))

  /** Shows the answer before, where there is one and `has` says that the message is its own again. */
  const showBefore = async ({ question }: LocatedQuestion, has: typeof giveBack): Promise<boolean> => {
    const before = previousQuestionId(question.key)
    if (before === null || !(await has(question.id, before))) return false
    await delivery.settle(question.id)
    await delivery.refresh(before)
    return true
  }

  const tell = async ({ question, place }: LocatedQuestion, { outcome }: AnswerReport): Promise<void> => {
    const person = question.runBy ?? question.askedBy
    if (person === null || !hasNoAnswer(outcome)) return
    const reason = `I could not run this again, so the answer stays as it was. ${outcome.reason}`
    await deps
      .tellAlone(
        place,
        person,
        { status: 'not-allowed', reason, nextStep: outcome.nextStep },
        { inThread: true },
      )
      .catch((error: unknown) => {
        deps.log.warn({ error, questionId: question.id }, 'nobody could be told why nothing was run again')
      })
  }

  return {
    ...delivery,
    finish: async (placed, report) => {
      const has = hasNoAnswer(report.outcome) ? giveBack : wasGivenBack
      if (await showBefore(placed, has)) return tell(placed, report)
      await delivery.finish(placed, report)
    },
    stopped: async (placed, by) => {
      if (!(await showBefore(placed, giveBack))) await delivery.stopped(placed, by)
    },
  }
}

/** Whether there is a reason, and nothing to show or to choose. */
const hasNoAnswer = (outcome: Outcome): outcome is Extract<Outcome, { status: 'failed' | 'refused' }> =>
  outcome.status === 'failed' || outcome.status === 'refused'
