import type { Clarification, ClarificationReply, ReplyToClarification } from '../domain/clarification.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { QuestionStatus } from '../domain/question.ts'

/** Makes the use case: the reply and what follows from it are written together, or neither. */
export const makeReplyToClarification =
  (deps: { readonly inTransaction: InTransaction; readonly storeReply: StoreReply }): ReplyToClarification =>
  async given =>
    (await deps.inTransaction(tx => deps.storeReply(given, tx))) ? 'taken' : 'late'

/** The number of the option (from 1) that a reply takes, clicked or in words; null where it takes none. */
type FindChosenOption = (reply: ClarificationReply, clarification: Clarification) => number | null

/** Takes the one reply of a question, with what follows from it. False when somebody, or the expiry, was first. */
export type StoreReply = (
  given: {
    readonly questionId: string
    readonly reply: ClarificationReply
    /** Null where nobody replied in time. */
    readonly repliedBy: string | null
  },
  tx: Tx,
) => Promise<boolean>

/**
 * Makes it, for every way in which a reply comes: a click, words in a form or in the thread, and the expiry. The row of
 * the reply and the job that goes on are written together. Where the reply calls off what was asked about, the question
 * is stopped, as by its own button.
 */
export const makeStoreReply =
  (deps: {
    /** False when the question has its reply already, or was never asked back. */
    readonly insertReply: (
      questionId: string,
      reply: ClarificationReply,
      repliedBy: string | null,
      tx: Tx,
    ) => Promise<boolean>
    readonly findClarification: (questionId: string, tx: Tx) => Promise<Clarification | null>
    readonly findChosenOption: FindChosenOption
    /** Marks it as `stopping`; null when it has ended already. */
    readonly markStopping: (questionId: string, by: string | null, tx: Tx) => Promise<QuestionStatus | null>
    readonly sendJob: SendJob
  }): StoreReply =>
  async ({ questionId, reply, repliedBy }, tx) => {
    if (!(await deps.insertReply(questionId, reply, repliedBy, tx))) return false
    const clarification = await deps.findClarification(questionId, tx)
    const number = clarification && deps.findChosenOption(reply, clarification)
    const isCalledOff = number !== null && clarification?.options[number - 1]?.act === 'cancel'
    if (isCalledOff && (await deps.markStopping(questionId, repliedBy, tx)) !== null)
      await deps.sendJob('stop', { questionId }, { tx })
    else await deps.sendJob('resume', { questionId, reply }, { tx })
    return true
  }

/** Takes the stated default when nobody has replied in time. Does nothing when somebody has. */
type ExpireClarification = (questionId: string) => Promise<void>

/** Makes the use case: it claims the same row of replies as a click does, so that one of the two wins. */
export const makeExpireClarification =
  (deps: {
    readonly findClarification: (questionId: string) => Promise<Clarification | null>
    readonly reply: ReplyToClarification
  }): ExpireClarification =>
  async questionId => {
    const clarification = await deps.findClarification(questionId)
    if (!clarification) return
    await deps.reply({
      questionId,
      reply: { kind: 'option', number: clarification.defaultOption + 1, expired: true },
      repliedBy: null,
    })
  }
