import type { NotAllowed } from './access.ts'
import type { RequestedDigest } from './digest-wish.ts'
import type { SlackLocation } from './place.ts'

/** A question as a surface hears it. */
export interface IncomingQuestion {
  readonly text: string
  readonly place: SlackLocation
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
  readonly alone?: true
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
  | 'held'
  | 'remark'
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
export type InboundEditOutcome = 'asked-anew' | 'unchanged' | InboundMessageOutcome

/** Takes an edit of a message in. */
export type ReceiveEdit = (message: EditedMessage) => Promise<InboundEditOutcome>

/** Takes in that a message was deleted; its question, if it was one, is stopped and its answer taken away. */
export type ReceiveDeletion = (given: {
  readonly place: SlackLocation
  readonly deletedBy: string | null
}) => Promise<'taken-back' | 'not-ours'>
