import type { ReceiveEdit, ReceiveMessage } from '../../core/heard-message.ts'
import type { SendJob } from '../../core/job.ts'
import { type SlackLocation, slackLocationKey } from '../../core/place.ts'
import type { Question } from '../../core/question.ts'
import type { ThreadComment } from '../../core/thread.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'
import type { CheckRateLimit } from '../questions/limit-rate.ts'
import type { StoreQuestion } from '../questions/store-question.ts'
import type { WithdrawQuestion } from '../questions/take-back-question.ts'
import type { NotifyPrivately } from './tell-refused.ts'

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
    readonly findByMessage: (place: SlackLocation, tx: Tx) => Promise<Question | null>
    readonly takeBack: WithdrawQuestion
    readonly storeQuestion: StoreQuestion
    /** Whether the person asks too much: then the answer before stands. */
    readonly limit: CheckRateLimit
    readonly tellLimited: NotifyPrivately
    /** Lets the message that shows one question show another. False when none is known to be posted. */
    readonly handOver: (from: string, to: string, tx: Tx) => Promise<boolean>
    /** Changes a remark that was kept; false when there is none of this place. */
    readonly changeRemark: (place: SlackLocation, remark: ThreadComment, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
    readonly hear: ReceiveMessage
  }): ReceiveEdit =>
  async message => {
    const { place, text, askedBy, askedAt, changedAt } = message
    const done = await deps.inTransaction(async tx => {
      const before = await deps.findByMessage(place, tx)
      if (!before) {
        const isRemark = await deps.changeRemark(place, { by: askedBy, text, at: askedAt }, tx)
        return isRemark && !message.addressed ? ('remark' as const) : null
      }
      const [, lastChange = ''] = before.key.split(EDIT_SEPARATOR)
      if (before.text === text || lastChange >= changedAt) return 'unchanged' as const
      const tooMuch = await deps.limit({ person: askedBy, team: place.team })
      if (tooMuch) return tooMuch
      await deps.takeBack(before.id, askedBy, tx)
      const key = `${slackLocationKey(place)}${EDIT_SEPARATOR}${changedAt}`
      // Whether its author may still ask, and of that database, is looked at where it is answered.
      const { database } = before
      const id = await deps.storeQuestion({ text, place, askedBy, askedAt, database, key }, tx)
      if (id === null) return 'unchanged' as const
      // A message that is being posted this moment cannot be handed over: it goes once it is there.
      if (!(await deps.handOver(before.id, id, tx))) {
        const { id: questionId } = before
        await deps.sendJob('remove-answer', { questionId }, { tx, startAfterSeconds: REFRESH_DELAY_SECONDS })
      }
      return 'asked-anew' as const
    })
    if (typeof done === 'string') return done
    if (done !== null) {
      await deps.tellLimited(place, askedBy, done)
      return 'refused'
    }
    return message.addressed ? deps.hear(message) : 'not-ours'
  }
