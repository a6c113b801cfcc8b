import type { Clarification, ClarificationReply, ReplyToClarification } from '../domain/clarification.ts'
import type { InTransaction, SendJob, Tx } from '../domain/operations/jobs.ts'
import type { QuestionStatus } from '../domain/question.ts'

/** The reply and what follows from it are written in one transaction. */
export const makeReplyToClarification =
  (deps: { readonly inTransaction: InTransaction; readonly storeReply: StoreReply }): ReplyToClarification =>
  async given =>
    (await deps.inTransaction(tx => deps.storeReply(given, tx))) ? 'taken' : 'late'

/** The number of the option (from 1) a reply chooses, by click or in words; null if it chooses none. */
type FindChosenOption = (reply: ClarificationReply, clarification: Clarification) => number | null

/**
 * Stores the single reply of a question, with what follows from it. False if another reply or the expiry came first.
 */
export type StoreReply = (
  given: {
    readonly questionId: string
    readonly reply: ClarificationReply
    /** Null if nobody replied in time. */
    readonly repliedBy: string | null
  },
  tx: Tx,
) => Promise<boolean>

/**
 * Used for every kind of reply: a click, words in a form or thread, and the expiry. The reply and the job that resumes
 * the question are written together. A reply that cancels what was asked about stops the question, as its stop button
 * does.
 */
export const makeStoreReply =
  (deps: {
    /** False if the question already has a reply, or never needed one. */
    readonly insertReply: (
      questionId: string,
      reply: ClarificationReply,
      repliedBy: string | null,
      tx: Tx,
    ) => Promise<boolean>
    readonly findClarification: (questionId: string, tx: Tx) => Promise<Clarification | null>
    readonly findChosenOption: FindChosenOption
    /** Marks it as `stopping`; null if it has already ended. */
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

/** Uses the default if nobody has replied in time. Does nothing otherwise. */
type ExpireClarification = (questionId: string) => Promise<void>

/** Claims the same reply row as a click does, so that only one of them wins. */
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
