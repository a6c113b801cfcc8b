import type { NotAllowed } from './access.ts'
import type { AnswerEvent, AnswerReport } from './answer.ts'
import type { RequestedDigest } from './digest-use-cases.ts'
import type { Question } from './question.ts'

/** A question as a surface hears it. */
interface IncomingQuestion {
  readonly text: string
  readonly location: SlackLocation
  readonly askedBy: string
  readonly askedAt: Date
}

/** A question with the database that its place asks. */
export interface AdmittedQuestion extends IncomingQuestion {
  /** As `formatDatabaseRef` writes it. */
  readonly database: string
}

/** A message that reached us, with what the surface knows of how it is meant. */
export interface InboundMessage extends IncomingQuestion {
  /** It names us, or was said to us alone. */
  readonly addressed: boolean
  /** It names other people, and not us. */
  readonly toOthers: boolean
  /** Set where it was said to us alone. */
  readonly isDirect?: true
}

/**
 * What a message was taken for. `known`: it was delivered before. `held`: the thread's first answer is not there yet, so
 * that it is heard again once it is. `remark`: people talking to each other in a thread of
 * ours, which later questions may point at. `refused`: who said it may not ask there, or asks too much, and was told. `not-ours`: people
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

/** Takes a message in, once, however often it is delivered. Only when it resolves may the surface acknowledge it. */
export type ReceiveMessage = (message: InboundMessage) => Promise<InboundMessageOutcome>

/** What became of a question that was asked by a button or a command. `known`: the same place asked before. */
export type AskResult =
  | { readonly status: 'asked'; readonly questionId: string }
  | { readonly status: 'known' }
  | NotAllowed

/**
 * Stores a question and its job, once, if who asks may ask there. Of one `key` there is one question: that of its place
 * where there is none. A question of which one of the `claims` is taken was asked a moment ago, and is `known`. A `digest`
 * that is wanted of its answer is stored with it.
 */
export type AskQuestion = (
  asked: IncomingQuestion & {
    readonly key?: string
    readonly claims?: readonly string[]
    readonly digest?: RequestedDigest
  },
) => Promise<AskResult>

/** A message as it reads after a change; `changedAt` is the surface's own id of the change, in the order of time. */
export interface EditedMessage extends InboundMessage {
  readonly changedAt: string
}

/**
 * What an edit came to. `asked-anew`: the question before it was taken back and this one asked in its place.
 * `unchanged`: it reads as before, or a later edit was heard first.
 */
type InboundEditOutcome = 'asked-again' | 'unchanged' | InboundMessageOutcome

/** Takes an edit of a message in. */
export type ReceiveEdit = (message: EditedMessage) => Promise<InboundEditOutcome>

/** Takes in that a message was deleted; its question, if it was one, is stopped and its answer taken away. */
export type ReceiveDeletion = (given: {
  readonly location: SlackLocation
  readonly deletedBy: string | null
}) => Promise<'taken-back' | 'not-ours'>

/** Where in a workspace something was said, and where the reply to it belongs. Timestamps are the surface's own ids. */
export interface SlackLocation {
  readonly team: string
  readonly channel: string
  /** The message that began the thread: the question itself when it was not asked in one. */
  readonly thread: string
  /** The message itself. */
  readonly message: string
}

/** The key under which a question is stored once, however often its message is delivered. */
export const slackLocationKey = (location: SlackLocation): string =>
  `${location.team}:${location.channel}:${location.message}`

/** A question together with where it was asked. */
export interface LocatedQuestion {
  readonly question: Question
  readonly location: SlackLocation
}

/**
 * Puts what happens to a question in front of people. The first message is posted once, and everything after
 * changes it: repeating a call is harmless, so a job that is tried again may call all of them again.
 */
export interface Delivery {
  /** Shows quietly that a message was taken for a question, before anybody works on it. Never rejects and never waits. */
  acknowledge(location: SlackLocation): void
  /** Shows that the question is being worked on. */
  begin(placed: LocatedQuestion): Promise<void>
  /** Shows how far it is. Never rejects and never waits: progress is not worth a failure. */
  progress(placed: LocatedQuestion, event: AnswerEvent): void
  /** Waits for progress that is still on its way, when the work broke off: it must not come after somebody's answer. */
  settle(questionId: string): Promise<void>
  /** Shows the outcome in the place of the first message. Resolves when it is there. */
  finish(placed: LocatedQuestion, report: AnswerReport): Promise<void>
  /** Shows in the place of the first message that the question was stopped, and by whom, null where nobody replied. */
  stopped(placed: LocatedQuestion, by: string | null): Promise<void>
  /** Shows an answer again, after votes for instance. Nothing happens when it was never shown. */
  refresh(questionId: string): Promise<void>
  /** Takes the message of a question away. Nothing happens when there is none. */
  remove(questionId: string): Promise<void>
}

/** A message that we post, by the question it belongs to and the step of it. */
interface OutboundMessageKey {
  readonly questionId: string
  readonly step: string
}

/**
 * The log of what we post. A message is claimed before it is posted and its `ts` stored after, so that a crash in
 * between leaves a claim without `ts`: only then is it in doubt whether the message is there.
 */
export interface OutboundMessageLog {
  /** False when it was claimed before. */
  claim(
    message: OutboundMessageKey & {
      readonly channel: string
      readonly payload: unknown
      readonly claimedAt: Date
    },
  ): Promise<boolean>
  /** Takes over a claim that is in doubt. False when it was posted, or taken over by another, in the meantime. */
  reclaim(message: OutboundMessageKey & { readonly claimedAt: Date }, now: Date): Promise<boolean>
  markPosted(questionId: string, step: string, ts: string): Promise<boolean>
  find(
    questionId: string,
    step: string,
  ): Promise<{ readonly channel: string; readonly ts: string | null; readonly claimedAt: Date } | null>
}
