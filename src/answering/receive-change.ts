import type { ThreadComment } from '../domain/conversation.ts'
import {
  type ReceiveDeletion,
  type ReceiveEdit,
  type ReceiveMessage,
  type SlackLocation,
  slackLocationKey,
} from '../domain/message.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { Question } from '../domain/question.ts'
import type { StoreQuestion } from './ask-question.ts'
import type { NotifyPrivately } from './notify-refused.ts'
import type { CheckRateLimit } from './rate-limits.ts'
import type { WithdrawQuestion } from './stop-question.ts'

/** Parts the key of a message from the change that made it this question. */
const EDIT_SEPARATOR = '#'

/** Whoever works on the question before may be posting its first message this moment. */
const REFRESH_DELAY_SECONDS = 3

/**
 * Makes the use case. An edited question is another question in the same place: the one before is taken back and stopped,
 * and its message is handed over, so that there is one answer and it changes in place. An edit that changes no word, as
 * when a preview of a link appears, does nothing. A message that was none of ours may become a question by naming us.
 */
export const makeReceiveEdit =
  (deps: {
    readonly inTransaction: InTransaction
    readonly findByMessage: (location: SlackLocation, tx: Tx) => Promise<Question | null>
    readonly withdraw: WithdrawQuestion
    readonly storeQuestion: StoreQuestion
    /** Whether the person asks too much: then the answer before stands. */
    readonly limit: CheckRateLimit
    readonly notifyRateLimited: NotifyPrivately
    /** Lets the message that shows one question show another. False when none is known to be posted. */
    readonly handOver: (from: string, to: string, tx: Tx) => Promise<boolean>
    /** Changes a remark that was kept; false when there is none of this place. */
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
      // Whether its author may still ask, and of that database, is looked at where it is answered.
      const { database } = before
      const id = await deps.storeQuestion({ text, location, askedBy, askedAt, database, key }, tx)
      if (id === null) return 'unchanged' as const
      // A message that is being posted this moment cannot be handed over: it goes once it is there.
      if (!(await deps.handOver(before.id, id, tx))) {
        const { id: questionId } = before
        await deps.sendJob('remove-answer', { questionId }, { tx, startAfterSeconds: REFRESH_DELAY_SECONDS })
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

/** Whoever works on the question may be posting its first message this moment. */
const REMOVE_DELAY_SECONDS = 3

/**
 * Makes the use case. The key of the message is claimed, so that a message that is delivered after its own deletion
 * becomes nothing.
 */
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
