import type { ThreadComment } from '../domain/conversation.ts'
import {
  type ReceiveDeletion,
  type ReceiveEdit,
  type ReceiveMessage,
  type SlackLocation,
  slackLocationKey,
} from '../domain/message.ts'
import type { InTransaction, SendJob, Tx } from '../domain/operations/jobs.ts'
import type { Question } from '../domain/question.ts'
import type { StoreQuestion } from './ask-question.ts'
import type { CheckRateLimit, NotifyPrivately } from './rate-limits.ts'
import { REMOVE_DELAY_SECONDS, type WithdrawQuestion } from './stop-question.ts'

/** Separates the key of a message from the edit that made it this question. */
const EDIT_SEPARATOR = '#'

/**
 * Handles an edit. An edited question is a new question in the same location: the earlier one is withdrawn and stopped,
 * and its message is handed over, so one answer changes in place. An edit that changes no words, such as a link
 * preview, does nothing. A message the bot ignored can become a question by mentioning the bot.
 */
export const makeReceiveEdit =
  (deps: {
    readonly inTransaction: InTransaction
    readonly findByMessage: (location: SlackLocation, tx: Tx) => Promise<Question | null>
    readonly withdraw: WithdrawQuestion
    readonly storeQuestion: StoreQuestion
    /** Counts the question; if the person asks too often, the earlier answer stays. */
    readonly limit: CheckRateLimit
    readonly notifyRateLimited: NotifyPrivately
    /** Lets the message that shows one question show another. False if none is known to be posted. */
    readonly handOver: (from: string, to: string, tx: Tx) => Promise<boolean>
    /** Changes a stored comment; false if this location has none. */
    readonly changeComment: (location: SlackLocation, comment: ThreadComment, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
    readonly receive: ReceiveMessage
  }): ReceiveEdit =>
  async message => {
    const { location, text, askedBy, askedAt, changedAt } = message
    const result = await deps.inTransaction(async tx => {
      const before = await deps.findByMessage(location, tx)
      if (!before) {
        const isComment = await deps.changeComment(location, { by: askedBy, text, at: askedAt }, tx)
        return isComment && !message.addressed ? ('comment' as const) : null
      }
      const [, lastChange = ''] = before.key.split(EDIT_SEPARATOR)
      if (before.text === text || lastChange >= changedAt) return 'unchanged' as const
      const overLimit = await deps.limit({ person: askedBy, team: location.team })
      if (overLimit) return overLimit
      await deps.withdraw(before.id, askedBy, tx)
      const key = `${slackLocationKey(location)}${EDIT_SEPARATOR}${changedAt}`
      // Whether the author can still ask that database is checked when it is answered.
      const { database } = before
      const id = await deps.storeQuestion({ text, location, askedBy, askedAt, database, key }, tx)
      if (id === null) return 'unchanged' as const
      // A message that is just being posted cannot be handed over; it is removed once it is there.
      if (!(await deps.handOver(before.id, id, tx))) {
        const { id: questionId } = before
        await deps.sendJob('remove-answer', { questionId }, { tx, startAfterSeconds: REMOVE_DELAY_SECONDS })
      }
      return 'asked-again' as const
    })
    if (typeof result === 'string') return result
    if (result !== null) {
      await deps.notifyRateLimited(location, askedBy, result)
      return 'refused'
    }
    return message.addressed ? deps.receive(message) : 'not-ours'
  }

/** Handles a deletion. It claims the key of the message, so a message delivered after its own deletion is ignored. */
export const makeReceiveDeletion =
  (deps: {
    readonly inTransaction: InTransaction
    readonly claimMessage: (key: string, tx: Tx) => Promise<boolean>
    readonly findByMessage: (location: SlackLocation, tx: Tx) => Promise<Question | null>
    readonly withdraw: WithdrawQuestion
    readonly removeComment: (location: SlackLocation, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
  }): ReceiveDeletion =>
  ({ location, deletedBy }) =>
    deps.inTransaction(async tx => {
      await deps.claimMessage(slackLocationKey(location), tx)
      await deps.removeComment(location, tx)
      const question = await deps.findByMessage(location, tx)
      if (!question) return 'not-ours'
      await deps.withdraw(question.id, deletedBy, tx)
      const { id: questionId } = question
      await deps.sendJob('remove-answer', { questionId }, { tx, startAfterSeconds: REMOVE_DELAY_SECONDS })
      return 'taken-back'
    })
