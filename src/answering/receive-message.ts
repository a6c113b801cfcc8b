import type { ClarificationReply } from '../domain/clarification.ts'
import type { ThreadComment } from '../domain/conversation.ts'
import {
  type Delivery,
  type InboundMessage,
  type ReceiveMessage,
  type SlackLocation,
  slackLocationKey,
} from '../domain/message.ts'
import type { JobData, SendJob } from '../domain/operations/jobs.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { AdmitQuestion, StoreQuestion } from './ask-question.ts'
import type { NotifyPrivately } from './notify-refused.ts'
import type { CheckRateLimit } from './rate-limits.ts'
import type { StoreReply } from './reply-to-clarification.ts'

/** How long after it was said a message may still become a question: a run of a question takes a quarter of an hour at most. */
const MAX_DEFER_MS = 15 * 60_000

/** How often it is looked whether the answer that a message comes after stands. */
const DEFER_SECONDS = 2

/** In a direct message the answer before counts as the one that is changed for so long. */
const FOLLOW_UP_WINDOW_MS = 30 * 60_000

/**
 * Makes the use case. One message reaches us several times: Slack retries, and a mention in a channel comes as two
 * events. All of them claim the same key in one transaction with what the message becomes, so it becomes one thing.
 * To whoever asked a question that waits for a reply, the message is that reply; in a thread that we answered, it is a
 * question even when it does not name us, unless it is said to others or asks nothing: then it is kept as a remark. Said
 * before the first answer of its thread is there, it is heard again until it is.
 */
export const makeReceiveMessage = (deps: {
  readonly inTransaction: InTransaction
  /** False when a message of this key was claimed before. */
  readonly claimMessage: (key: string, tx: Tx) => Promise<boolean>
  /** Whether we answered in this thread, or wait for this person's reply in it. */
  readonly isInOurThread: (message: InboundMessage) => Promise<boolean>
  /** Whether a question of this thread is being worked on. */
  readonly isBeingAnswered: (place: SlackLocation) => Promise<boolean>
  /** The last question that this person asked us alone since then, outside of threads, and that was answered. */
  readonly findLastAlone: (
    place: SlackLocation,
    askedBy: string,
    between: { readonly since: Date; readonly before: Date },
    tx: Tx,
  ) => Promise<string | null>
  /** Whether words are a change of something that was asked before, and no question of their own. */
  readonly readsAsEdit: (text: string) => boolean
  readonly now: () => Date
  /** Whether who says it may ask there. */
  readonly admit: AdmitQuestion
  readonly tellRefused: NotifyPrivately
  /** Whether the person asks too much; what is over a limit is not stored. */
  readonly limit: CheckRateLimit
  /** Tells who asks too much when to ask again. */
  readonly tellLimited: NotifyPrivately
  /** Whether words that name nobody ask something of a database, or change what was asked. */
  readonly asksSomething: (text: string) => boolean
  /** The question of this person in this thread that waits for a reply: only who asked may settle what was meant. */
  readonly findWaiting: (place: SlackLocation, askedBy: string, tx: Tx) => Promise<string | null>
  readonly keepReply: StoreReply
  readonly storeQuestion: StoreQuestion
  readonly keepRemark: (place: SlackLocation, remark: ThreadComment, tx: Tx) => Promise<void>
  readonly sendJob: SendJob
}): ReceiveMessage => {
  const mayBeHeld = ({ text, toOthers, askedAt }: InboundMessage): boolean =>
    !toOthers && deps.asksSomething(text) && deps.now().getTime() - askedAt.getTime() < MAX_DEFER_MS

  const lastAlone = ({ place, askedBy, askedAt }: InboundMessage, tx: Tx): Promise<string | null> =>
    deps.findLastAlone(
      place,
      askedBy,
      { since: new Date(askedAt.getTime() - FOLLOW_UP_WINDOW_MS), before: askedAt },
      tx,
    )

  return async message => {
    const inThread = message.place.thread !== message.place.message
    // In this order: what is answered between the two looks is ours then, and not lost.
    const mayCome = !message.addressed && inThread && mayBeHeld(message)
    const isBeingAnswered = mayCome && (await deps.isBeingAnswered(message.place))
    const ours = message.addressed || (inThread && (await deps.isInOurThread(message)))
    if (!ours && isBeingAnswered) {
      const { text, place, askedBy } = message
      const askedAt = message.askedAt.toISOString()
      const due = new Date(deps.now().getTime() + DEFER_SECONDS * 1_000).toISOString()
      await deps.inTransaction(tx =>
        deps.sendJob(
          'hear-again',
          { text, place, askedBy, askedAt, due },
          { tx, startAfterSeconds: DEFER_SECONDS },
        ),
      )
      return 'held'
    }
    if (!ours || (message.text === '' && !message.addressed)) return 'not-ours'
    // Before the transaction: the platform may have to be asked, and nobody's connection waits for that.
    const admission = await deps.admit({ person: message.askedBy, place: message.place })
    if (admission.status === 'not-allowed') {
      const asks = message.addressed || (!message.toOthers && deps.asksSomething(message.text))
      if (asks) await deps.tellRefused(message.place, message.askedBy, admission)
      return asks ? 'refused' : 'not-ours'
    }
    const { database } = admission
    const heard = await deps.inTransaction(async tx => {
      if (!(await deps.claimMessage(slackLocationKey(message.place), tx))) return 'known'
      const toOthers = !message.addressed && message.toOthers
      const waiting =
        inThread && !toOthers ? await deps.findWaiting(message.place, message.askedBy, tx) : null
      const reply: ClarificationReply = { kind: 'text', text: message.text }
      const replying = waiting && { questionId: waiting, reply, repliedBy: message.askedBy }
      if (replying && message.text !== '' && (await deps.keepReply(replying, tx))) return 'reply'
      if (toOthers || (!message.addressed && !deps.asksSomething(message.text))) {
        const { text, askedBy: by, askedAt: at } = message
        await deps.keepRemark(message.place, { by, text, at }, tx)
        return 'remark'
      }
      const follows =
        message.alone && !inThread && deps.readsAsEdit(message.text) ? await lastAlone(message, tx) : null
      // Its key is claimed: a message that is delivered again is not counted again.
      const tooMuch = await deps.limit({ person: message.askedBy, team: message.place.team })
      if (tooMuch) return tooMuch
      await deps.storeQuestion({ ...message, database, ...(follows === null ? {} : { follows }) }, tx)
      return 'question'
    })
    if (typeof heard === 'string') return heard
    await deps.tellLimited(message.place, message.askedBy, heard)
    return 'refused'
  }
}

/** Hears a message, and shows at once that it was taken for a question: the turn of the question may be a while off. */
export const makeAcknowledgeMessage =
  (deps: {
    readonly hear: ReceiveMessage
    readonly delivery: Pick<Delivery, 'acknowledge'>
  }): ReceiveMessage =>
  async message => {
    const heard = await deps.hear(message)
    if (heard === 'question') deps.delivery.acknowledge(message.place)
    return heard
  }

/** The message of a job that hears it again. Only what names nobody, in a thread, is ever held. */
export const deferredMessage = ({
  text,
  place,
  askedBy,
  askedAt,
}: JobData['hear-again']): InboundMessage => ({
  text,
  place,
  askedBy,
  askedAt: new Date(askedAt),
  addressed: false,
  toOthers: false,
})
