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
  readonly isBeingAnswered: (location: SlackLocation) => Promise<boolean>
  /** The last question that this person asked us alone since then, outside of threads, and that was answered. */
  readonly findLastDirect: (
    location: SlackLocation,
    askedBy: string,
    between: { readonly since: Date; readonly before: Date },
    tx: Tx,
  ) => Promise<string | null>
  /** Whether words are a change of something that was asked before, and no question of their own. */
  readonly looksLikeEdit: (text: string) => boolean
  readonly now: () => Date
  /** Whether who says it may ask there. */
  readonly admit: AdmitQuestion
  readonly notifyRefused: NotifyPrivately
  /** Whether the person asks too much; what is over a limit is not stored. */
  readonly limit: CheckRateLimit
  /** Tells who asks too much when to ask again. */
  readonly notifyRateLimited: NotifyPrivately
  /** Whether words that name nobody ask something of a database, or change what was asked. */
  readonly isRequest: (text: string) => boolean
  /** The question of this person in this thread that waits for a reply: only who asked may settle what was meant. */
  readonly findWaiting: (location: SlackLocation, askedBy: string, tx: Tx) => Promise<string | null>
  readonly storeReply: StoreReply
  readonly storeQuestion: StoreQuestion
  readonly storeComment: (location: SlackLocation, comment: ThreadComment, tx: Tx) => Promise<void>
  readonly sendJob: SendJob
}): ReceiveMessage => {
  const canBeDeferred = ({ text, toOthers, askedAt }: InboundMessage): boolean =>
    !toOthers && deps.isRequest(text) && deps.now().getTime() - askedAt.getTime() < MAX_DEFER_MS

  const lastDirect = ({ location, askedBy, askedAt }: InboundMessage, tx: Tx): Promise<string | null> =>
    deps.findLastDirect(
      location,
      askedBy,
      { since: new Date(askedAt.getTime() - FOLLOW_UP_WINDOW_MS), before: askedAt },
      tx,
    )

  return async message => {
    const inThread = message.location.thread !== message.location.message
    // In this order: what is answered between the two looks is ours then, and not lost.
    const canDefer = !message.addressed && inThread && canBeDeferred(message)
    const isBeingAnswered = canDefer && (await deps.isBeingAnswered(message.location))
    const isOurs = message.addressed || (inThread && (await deps.isInOurThread(message)))
    if (!isOurs && isBeingAnswered) {
      const { text, location, askedBy } = message
      const askedAt = message.askedAt.toISOString()
      const due = new Date(deps.now().getTime() + DEFER_SECONDS * 1_000).toISOString()
      await deps.inTransaction(tx =>
        deps.sendJob(
          'hear-again',
          { text, place: location, askedBy, askedAt, due },
          { tx, startAfterSeconds: DEFER_SECONDS },
        ),
      )
      return 'deferred'
    }
    if (!isOurs || (message.text === '' && !message.addressed)) return 'not-ours'
    // Before the transaction: the platform may have to be asked, and nobody's connection waits for that.
    const admission = await deps.admit({ person: message.askedBy, location: message.location })
    if (admission.status === 'not-allowed') {
      const isRequest = message.addressed || (!message.toOthers && deps.isRequest(message.text))
      if (isRequest) await deps.notifyRefused(message.location, message.askedBy, admission)
      return isRequest ? 'refused' : 'not-ours'
    }
    const { database } = admission
    const outcome = await deps.inTransaction(async tx => {
      if (!(await deps.claimMessage(slackLocationKey(message.location), tx))) return 'known'
      const toOthers = !message.addressed && message.toOthers
      const waiting =
        inThread && !toOthers ? await deps.findWaiting(message.location, message.askedBy, tx) : null
      const reply: ClarificationReply = { kind: 'text', text: message.text }
      const replying = waiting && { questionId: waiting, reply, repliedBy: message.askedBy }
      if (replying && message.text !== '' && (await deps.storeReply(replying, tx))) return 'reply'
      if (toOthers || (!message.addressed && !deps.isRequest(message.text))) {
        const { text, askedBy: by, askedAt: at } = message
        await deps.storeComment(message.location, { by, text, at }, tx)
        return 'comment'
      }
      const follows =
        message.isDirect && !inThread && deps.looksLikeEdit(message.text)
          ? await lastDirect(message, tx)
          : null
      // Its key is claimed: a message that is delivered again is not counted again.
      const tooMuch = await deps.limit({ person: message.askedBy, team: message.location.team })
      if (tooMuch) return tooMuch
      await deps.storeQuestion({ ...message, database, ...(follows === null ? {} : { follows }) }, tx)
      return 'question'
    })
    if (typeof outcome === 'string') return outcome
    await deps.notifyRateLimited(message.location, message.askedBy, outcome)
    return 'refused'
  }
}

/** Hears a message, and shows at once that it was taken for a question: the turn of the question may be a while off. */
export const makeAcknowledgeMessage =
  (deps: {
    readonly receive: ReceiveMessage
    readonly delivery: Pick<Delivery, 'acknowledge'>
  }): ReceiveMessage =>
  async message => {
    const outcome = await deps.receive(message)
    if (outcome === 'question') deps.delivery.acknowledge(message.location)
    return outcome
  }

/** The message of a job that hears it again. Only what names nobody, in a thread, is ever held. */
export const deferredMessage = ({
  text,
  place: location,
  askedBy,
  askedAt,
}: JobData['hear-again']): InboundMessage => ({
  text,
  location,
  askedBy,
  askedAt: new Date(askedAt),
  addressed: false,
  toOthers: false,
})
