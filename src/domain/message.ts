import type { Audience, NotAllowed } from './access/access.ts'
import type { AnswerEvent, AnswerReport } from './answer.ts'
import type { RequestedDigest } from './digests/use-cases.ts'
import type { Question } from './question.ts'

/** A question as a surface receives it. */
interface IncomingQuestion {
  readonly text: string
  readonly location: SlackLocation
  readonly askedBy: string
  readonly askedAt: Date
}

/** A question with the database of its location. */
export interface AdmittedQuestion extends IncomingQuestion {
  /** As `formatDatabaseRef` writes it. */
  readonly database: string
}

/** A message the bot received, with what the surface knows about its audience. */
export interface InboundMessage extends IncomingQuestion {
  /** It mentions the bot, or is a direct message. */
  readonly addressed: boolean
  /** It mentions other people and not the bot. */
  readonly toOthers: boolean
  /** Set for direct messages. */
  readonly isDirect?: true
}

/**
 * How a message was handled. `known`: it was delivered before. `deferred`: the thread's first answer is not ready yet,
 * so it is received again later. `comment`: people talking to each other in one of the bot's threads, which later
 * questions can refer to. `refused`: the person cannot ask there or asks too often, and was told. `not-ours`: people
 * talking to each other elsewhere.
 */
export type InboundMessageOutcome =
  | 'question'
  | 'reply'
  | 'known'
  | 'deferred'
  | 'comment'
  | 'refused'
  | 'not-ours'

/** Handles a message once, however often it is delivered. The surface may acknowledge it only after this resolves. */
export type ReceiveMessage = (message: InboundMessage) => Promise<InboundMessageOutcome>

/** The result of asking by button or command. `known`: it was asked from the same location before. */
export type AskResult =
  | { readonly status: 'asked'; readonly questionId: string }
  | { readonly status: 'known' }
  | NotAllowed

/**
 * Stores a question and its job, once, if the person can ask there. Each `key` has one question; without a key, each
 * location has one. If one of the `claims` is taken, the question was asked a moment ago and is `known`. A requested
 * `digest` is stored with it.
 */
export type AskQuestion = (
  asked: IncomingQuestion & {
    readonly key?: string
    readonly claims?: readonly string[]
    readonly digest?: RequestedDigest
  },
) => Promise<AskResult>

/** An edited message; `changedAt` is the surface's own id of the edit, in chronological order. */
export interface EditedMessage extends InboundMessage {
  readonly changedAt: string
}

/**
 * How an edit was handled. `asked-again`: the earlier question was withdrawn and this one asked instead. `unchanged`:
 * the text is the same, or a later edit was handled first.
 */
type InboundEditOutcome = 'asked-again' | 'unchanged' | InboundMessageOutcome

/** Handles an edit of a message. */
export type ReceiveEdit = (message: EditedMessage) => Promise<InboundEditOutcome>

/** Handles the deletion of a message; its question, if any, is stopped and its answer removed. */
export type ReceiveDeletion = (given: {
  readonly location: SlackLocation
  readonly deletedBy: string | null
}) => Promise<'taken-back' | 'not-ours'>

/** Where in a workspace a message is, and where the reply belongs. Timestamps are the surface's own ids. */
export interface SlackLocation {
  readonly team: string
  readonly channel: string
  /** The message that started the thread; the question itself if it is not in a thread. */
  readonly thread: string
  /** The message itself. */
  readonly message: string
}

/** The key that stores a question once, however often its message is delivered. */
export const slackLocationKey = (location: SlackLocation): string =>
  `${location.team}:${location.channel}:${location.message}`

/** A question and where it was asked. */
export interface LocatedQuestion {
  readonly question: Question
  readonly location: SlackLocation
}

/**
 * Shows people what happens to a question. The first message is posted once and later calls change it, so a retried job
 * can repeat any call.
 */
export interface Delivery {
  /** Shows that a message was recognized as a question, before work starts. Never rejects or waits. */
  acknowledge(location: SlackLocation): void
  /** Shows that work on the question has started. */
  begin(placed: LocatedQuestion): Promise<void>
  /** Shows progress. Never rejects or waits: progress is not worth a failure. */
  progress(placed: LocatedQuestion, event: AnswerEvent): void
  /** Waits for pending progress updates after the work failed; they must not appear after an answer. */
  settle(questionId: string): Promise<void>
  /** Shows the outcome in place of the first message. Resolves once it is visible. */
  finish(placed: LocatedQuestion, report: AnswerReport): Promise<void>
  /** Shows in place of the first message that the question was stopped, and by whom; null if nobody replied. */
  stopped(placed: LocatedQuestion, by: string | null): Promise<void>
  /** Shows an answer again, for instance after a vote. Does nothing if it was never shown. */
  refresh(questionId: string): Promise<void>
  /** Shows an answer that went to its asker alone in its thread too, if everyone there may see it now. */
  share(placed: LocatedQuestion): Promise<Audience>
  /**
   * Takes an answer and the files of its rows out of its thread: from now on the asker alone has it. Does nothing if it
   * is not there.
   */
  withhold(questionId: string): Promise<void>
  /** Deletes the messages of a question. Does nothing if there are none. */
  remove(questionId: string): Promise<void>
}

/** A message the bot posts, by its question and step. */
interface OutboundMessageKey {
  readonly questionId: string
  readonly step: string
}

/**
 * The log of posted messages. A message is claimed before it is posted and its `ts` is stored after, so a claim without
 * `ts` means a crash in between: only then is it unknown whether the message exists.
 */
export interface OutboundMessageLog {
  /** False if it was claimed before. */
  claim(
    message: OutboundMessageKey & {
      readonly channel: string
      readonly payload: unknown
      readonly claimedAt: Date
    },
  ): Promise<boolean>
  /** Takes over an unresolved claim. False if it was posted or taken over in the meantime. */
  reclaim(message: OutboundMessageKey & { readonly claimedAt: Date }, now: Date): Promise<boolean>
  markPosted(questionId: string, step: string, ts: string): Promise<boolean>
  find(
    questionId: string,
    step: string,
  ): Promise<{ readonly channel: string; readonly ts: string | null; readonly claimedAt: Date } | null>
  /** Forgets a message. */
  remove(questionId: string, step: string): Promise<void>
  /** The posted messages of a question whose step begins with this. */
  list(
    questionId: string,
    stepPrefix: string,
  ): Promise<readonly { readonly step: string; readonly channel: string; readonly ts: string }[]>
}
