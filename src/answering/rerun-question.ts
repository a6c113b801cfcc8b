import type { AnswerReport, Outcome } from '../domain/answer.ts'
import type { Delivery, LocatedQuestion } from '../domain/message.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { FindQuotaRefusal } from '../domain/operations/usage.ts'
import { formatRerunKey, previousQuestionId, type RerunQuestion } from '../domain/question.ts'
import type { StoreQuestion } from './ask-question.ts'
import type { NotifyPrivately } from './notify-refused.ts'
import type { CheckRateLimit } from './rate-limits.ts'

/** Whoever works on the question before may be posting its first message this moment. */
const REMOVE_DELAY_SECONDS = 3

/**
 * Makes the use case. The question is stored once more, to be answered past the cache, and takes over the message of the
 * one before, which is taken back: there is one answer, and it changes in place. Should it fail, the one before is given
 * the message back (see `makeRestorePreviousAnswer`). Of two clicks the first takes it back,
 * and the second finds that done. It is asked by whoever asked it at first, with their rights, and read on the account of
 * whoever clicks: for somebody who has used up what may be read, the answer stays as it is.
 */
export const makeRerunQuestion =
  (deps: {
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly limit: CheckRateLimit
    readonly findQuotaRefusal: FindQuotaRefusal
    readonly inTransaction: InTransaction
    /** False when it was taken back before. */
    readonly withdraw: (questionId: string, tx: Tx) => Promise<boolean>
    readonly storeQuestion: StoreQuestion
    /** Lets the message that shows one question show another. False when none is known to be posted. */
    readonly handOver: (from: string, to: string, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
    readonly newId: () => string
  }): RerunQuestion =>
  async ({ questionId, person }) => {
    const placed = await deps.findPlaced(questionId)
    if (!placed?.question.askedBy) return { status: 'over' }
    const { question, location } = placed
    const { text, askedBy, askedAt, database, follows } = question
    const { team, channel } = location
    const refused =
      (await deps.findQuotaRefusal({ origin: 'question', person, team, channel })) ??
      (await deps.limit({ person, team }))
    if (refused) return refused
    return deps.inTransaction(async tx => {
      if (askedBy === null || !(await deps.withdraw(questionId, tx))) return { status: 'over' }
      const rerunId = await deps.storeQuestion(
        {
          ...{ text, location, askedBy, askedAt, database, fresh: true },
          key: formatRerunKey(question, deps.newId()),
          ...(follows !== undefined && { follows }),
          ...(person !== askedBy && { runBy: person }),
        },
        tx,
      )
      if (rerunId === null) return { status: 'over' }
      if (!(await deps.handOver(questionId, rerunId, tx)))
        await deps.sendJob('remove-answer', { questionId }, { tx, startAfterSeconds: REMOVE_DELAY_SECONDS })
      return { status: 'again' }
    })
  }

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
    readonly notifyPrivately: NotifyPrivately
    readonly log: Log
  },
): Delivery => {
  /** False where there is nothing to go back to, or the message belongs to a third question by now. */
  const giveBack = async (rerunId: string, before: string): Promise<boolean> => {
    if (!(await deps.canBeShown(before))) return false
    return deps.inTransaction(async tx => {
      // An earlier attempt has given it back; or an edit or a deletion has taken back both.
      if (!(await deps.withdraw(rerunId, tx))) return !(await deps.isWithdrawn(before, tx))
      if (await deps.handOver(rerunId, before, tx)) {
        await deps.reinstate(before, tx)
        return true
      }
      await deps.reinstate(rerunId, tx)
      return false
    })
  }

  /** An attempt that died after it gave the message back may not have shown the answer; what the next comes to is late. */
  const wasGivenBack = async (rerunId: string, before: string): Promise<boolean> =>
    (await deps.isWithdrawn(rerunId)) && !(await deps.isWithdrawn(before))

  /** Shows the answer before, where there is one and `has` says that the message is its own again. */
  const showBefore = async ({ question }: LocatedQuestion, hasMessage: typeof giveBack): Promise<boolean> => {
    const before = previousQuestionId(question.key)
    if (before === null || !(await hasMessage(question.id, before))) return false
    await delivery.settle(question.id)
    await delivery.refresh(before)
    return true
  }

  const notify = async (
    { question, location }: LocatedQuestion,
    { outcome }: AnswerReport,
  ): Promise<void> => {
    const person = question.runBy ?? question.askedBy
    if (person === null || !hasNoAnswer(outcome)) return
    const reason = `I couldn't run this again, so the answer is unchanged. ${outcome.reason}`
    await deps
      .notifyPrivately(
        location,
        person,
        { status: 'not-allowed', reason, nextStep: outcome.nextStep },
        { inThread: true },
      )
      .catch((error: unknown) => {
        deps.log.warn(
          { error, questionId: question.id },
          'could not tell a person why their question was not run again',
        )
      })
  }

  return {
    ...delivery,
    finish: async (placed, report) => {
      const hasMessage = hasNoAnswer(report.outcome) ? giveBack : wasGivenBack
      if (await showBefore(placed, hasMessage)) return notify(placed, report)
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
