import type { AnswerReport, Outcome } from '../domain/answer.ts'
import { unansweredText } from '../domain/answer-wording/unanswered.ts'
import type { Delivery, LocatedQuestion } from '../domain/message.ts'
import type { InTransaction, SendJob, Tx } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import type { FindQuotaRefusal } from '../domain/operations/usage.ts'
import { formatRerunKey, previousQuestionId, type RerunQuestion } from '../domain/question.ts'
import type { StoreQuestion } from './ask-question.ts'
import type { CheckRateLimit, NotifyPrivately } from './rate-limits.ts'
import { REMOVE_DELAY_SECONDS } from './stop-question.ts'

/**
 * Runs a question again. It is stored once more, answered without the cache, and takes over the message of the earlier
 * one, which is withdrawn: one answer changes in place. If the rerun fails, the earlier one gets its message back (see
 * `makeRestorePreviousAnswer`). Of two clicks, the second finds that the first one withdrew it. It runs with the
 * original asker's permissions and on the account of the person who clicked; if that quota is used up, the answer stays
 * as it is.
 */
export const makeRerunQuestion =
  (deps: {
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly limit: CheckRateLimit
    readonly findQuotaRefusal: FindQuotaRefusal
    readonly inTransaction: InTransaction
    /** False if it was withdrawn before. */
    readonly withdraw: (questionId: string, tx: Tx) => Promise<boolean>
    readonly storeQuestion: StoreQuestion
    /** Lets the message that shows one question show another. False if none is known to be posted. */
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
 * A delivery that restores an answer whose rerun failed, was refused or was stopped: the message goes back to the
 * earlier question, whose answer is shown with its age. The person who clicked is told why in private, unless they
 * stopped it themselves. Everything can be repeated safely.
 */
export const makeRestorePreviousAnswer = (
  delivery: Delivery,
  deps: {
    readonly inTransaction: InTransaction
    /** Whether the rows of an answer are still saved. */
    readonly canBeShown: (questionId: string) => Promise<boolean>
    /** False if it was withdrawn before. */
    readonly withdraw: (questionId: string, tx: Tx) => Promise<boolean>
    readonly isWithdrawn: (questionId: string, tx?: Tx) => Promise<boolean>
    /** Reinstates a withdrawn question. */
    readonly reinstate: (questionId: string, tx: Tx) => Promise<void>
    /** Lets the message that shows one question show another. False if none is known to be posted. */
    readonly handOver: (from: string, to: string, tx: Tx) => Promise<boolean>
    readonly notifyPrivately: NotifyPrivately
    readonly log: Log
  },
): Delivery => {
  /** False if there is nothing to go back to, or the message belongs to a third question by now. */
  const giveBack = async (rerunId: string, before: string): Promise<boolean> => {
    if (!(await deps.canBeShown(before))) return false
    return deps.inTransaction(async tx => {
      // An earlier attempt restored it, or an edit or deletion withdrew both.
      if (!(await deps.withdraw(rerunId, tx))) return !(await deps.isWithdrawn(before, tx))
      if (await deps.handOver(rerunId, before, tx)) {
        await deps.reinstate(before, tx)
        return true
      }
      await deps.reinstate(rerunId, tx)
      return false
    })
  }

  /** True if an earlier attempt restored the message but died, perhaps before it showed the answer. */
  const wasGivenBack = async (rerunId: string, before: string): Promise<boolean> =>
    (await deps.isWithdrawn(rerunId)) && !(await deps.isWithdrawn(before))

  /** Shows the earlier answer if there is one and `hasMessage` says that it has its message back. */
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
    const said = unansweredText(outcome)
    const reason = `I couldn't run this again, so the answer is unchanged. ${said.reason}`
    await deps
      .notifyPrivately(
        location,
        person,
        { status: 'not-allowed', reason, nextStep: said.nextStep },
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

/** Whether the outcome has only a reason, with nothing to show or choose. */
const hasNoAnswer = (outcome: Outcome): outcome is Extract<Outcome, { status: 'failed' | 'refused' }> =>
  outcome.status === 'failed' || outcome.status === 'refused'
