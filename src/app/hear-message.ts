import type { ClarificationReply } from '../core/clarification.ts'
import type { HeardMessage, HearMessage } from '../core/heard-message.ts'
import type { SendJob } from '../core/job.ts'
import { type Place, placeKey } from '../core/place.ts'
import type { Remark } from '../core/thread.ts'
import type { InTransaction, Tx } from '../core/tx.ts'
import type { AdmitQuestion } from './admit-question.ts'
import type { StoreQuestion } from './store-question.ts'
import type { TellAlone } from './tell-refused.ts'

/**
 * Makes the use case. One message reaches us several times: Slack retries, and a mention in a channel comes as two
 * events. All of them claim the same key in one transaction with what the message becomes, so it becomes one thing.
 * To whoever asked a question that waits for a reply, the message is that reply; in a thread that we answered, it is a
 * question even when it does not name us, unless it is said to others or asks nothing: then it is kept as a remark.
 */
export const makeHearMessage =
  (deps: {
    readonly inTransaction: InTransaction
    /** False when a message of this key was claimed before. */
    readonly claimMessage: (key: string, tx: Tx) => Promise<boolean>
    /** Whether we answered in this thread, or wait for this person's reply in it. */
    readonly isInOurThread: (message: HeardMessage) => Promise<boolean>
    /** Whether who says it may ask there. */
    readonly admit: AdmitQuestion
    readonly tellRefused: TellAlone
    /** Whether words that name nobody ask something of a database, or change what was asked. */
    readonly asksSomething: (text: string) => boolean
    /** The question of this person in this thread that waits for a reply: only who asked may settle what was meant. */
    readonly findWaiting: (place: Place, askedBy: string, tx: Tx) => Promise<string | null>
    readonly insertReply: (
      questionId: string,
      reply: ClarificationReply,
      repliedBy: string | null,
      tx: Tx,
    ) => Promise<boolean>
    readonly storeQuestion: StoreQuestion
    readonly keepRemark: (place: Place, remark: Remark, tx: Tx) => Promise<void>
    readonly sendJob: SendJob
  }): HearMessage =>
  async message => {
    const inThread = message.place.thread !== message.place.message
    const ours = message.addressed || (inThread && (await deps.isInOurThread(message)))
    if (!ours || (message.text === '' && !message.addressed)) return 'not-ours'
    // Before the transaction: the platform may have to be asked, and nobody's connection waits for that.
    const admission = await deps.admit({ person: message.askedBy, place: message.place })
    if (admission.status === 'not-allowed') {
      const asks = message.addressed || (!message.toOthers && deps.asksSomething(message.text))
      if (asks) await deps.tellRefused(message.place, message.askedBy, admission)
      return asks ? 'refused' : 'not-ours'
    }
    const { database } = admission
    return deps.inTransaction(async tx => {
      if (!(await deps.claimMessage(placeKey(message.place), tx))) return 'known'
      const toOthers = !message.addressed && message.toOthers
      const waiting =
        inThread && !toOthers ? await deps.findWaiting(message.place, message.askedBy, tx) : null
      const reply: ClarificationReply = { kind: 'text', text: message.text }
      if (waiting && message.text !== '' && (await deps.insertReply(waiting, reply, message.askedBy, tx))) {
        await deps.sendJob('resume', { questionId: waiting, reply }, { tx })
        return 'reply'
      }
      if (toOthers || (!message.addressed && !deps.asksSomething(message.text))) {
        const { text, askedBy: by, askedAt: at } = message
        await deps.keepRemark(message.place, { by, text, at }, tx)
        return 'remark'
      }
      await deps.storeQuestion({ ...message, database }, tx)
      return 'question'
    })
  }
