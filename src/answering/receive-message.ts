import type { ClarificationReply } from '../domain/clarification.ts'
import type { ThreadComment } from '../domain/conversation.ts'
import {
  type Delivery,
  type InboundMessage,
  type ReceiveMessage,
  type SlackLocation,
  slackLocationKey,
} from '../domain/message.ts'
import type { InTransaction, JobData, SendJob, Tx } from '../domain/operations/jobs.ts'
import type { AdmitQuestion, StoreQuestion } from './ask-question.ts'
import type { CheckRateLimit, NotifyPrivately } from './rate-limits.ts'
import type { StoreReply } from './reply-to-clarification.ts'

/** How long a deferred message can still become a question: a run takes at most a quarter of an hour. */
const MAX_DEFER_MS = 15 * 60_000

/** How often to check whether the answer a deferred message follows is there. */
const DEFER_SECONDS = 2

/** How long a later direct message can be a change to the last answer. */
const FOLLOW_UP_WINDOW_MS = 30 * 60_000

/**
 * Handles a message. Each one can arrive several times: Slack retries, and a mention in a channel comes as two events.
 * All deliveries claim the same key, in one transaction with what the message becomes, so it becomes one thing.
 *
 * From the person whose question waits for a clarification, the message is the reply. In a thread the bot has answered
 * in, it is a question even without a mention, unless it is addressed to others or asks nothing: then it is stored as a
 * comment. A message sent before the thread's first answer is deferred until that answer is there.
 */
export const makeReceiveMessage = (deps: {
  readonly inTransaction: InTransaction
  /** False if a message with this key was claimed before. */
  readonly claimMessage: (key: string, tx: Tx) => Promise<boolean>
  /** Whether the bot answered in this thread or waits for this person's reply in it. */
  readonly isInOurThread: (message: InboundMessage) => Promise<boolean>
  /** Whether a question of this thread is being worked on. */
  readonly isBeingAnswered: (location: SlackLocation) => Promise<boolean>
  /** The last answered question of this person in direct messages since then, outside of threads. */
  readonly findLastDirect: (
    location: SlackLocation,
    askedBy: string,
    between: { readonly since: Date; readonly before: Date },
    tx: Tx,
  ) => Promise<string | null>
  /** Whether a text changes an earlier question instead of being one of its own. */
  readonly looksLikeEdit: (text: string) => boolean
  readonly now: () => Date
  /** Checks whether the author can ask there. */
  readonly admit: AdmitQuestion
  readonly notifyRefused: NotifyPrivately
  /** Counts the question; one over a limit is not stored. */
  readonly limit: CheckRateLimit
  /** Tells a person who asks too often when to try again. */
  readonly notifyRateLimited: NotifyPrivately
  /** Whether a text without a mention asks something of a database or changes an earlier question. */
  readonly isRequest: (text: string) => boolean
  /** This person's question in this thread that waits for a reply: only the asker can clarify it. */
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
    // The order matters: an answer posted between the two checks makes the thread the bot's, and nothing is lost.
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
    // Outside the transaction: this may call the platform, and no connection should wait for that.
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
      // The key is claimed, so a message that is delivered again does not count again.
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

/** Handles a message and shows at once if it was recognized as a question; it may wait a while for its turn. */
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

/** The message of a job that receives it again. Only thread messages without a mention are deferred. */
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
