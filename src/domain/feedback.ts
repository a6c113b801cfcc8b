import type { SelectionSnapshot } from './ranking.ts'

/** What a person said of an answer. The last vote of a person counts. */
export type Vote = 'up' | 'down'

/** The last votes of everybody on one answer. */
export interface VoteCount {
  readonly up: number
  readonly down: number
}

/** Keeps a person's vote on an answer, the last one standing, and tells the count. Null when there is no answer. */
export type RecordVote = (given: {
  readonly questionId: string
  readonly person: string
  readonly vote: Vote
}) => Promise<VoteCount | null>

/** What a person says was wrong with an answer. */
export type FeedbackReason =
  | 'wrong-table'
  | 'wrong-filter'
  | 'wrong-grouping'
  | 'wrong-period'
  | 'format'
  | 'stale-data'
  | 'other'

export const feedbackReasons = [
  'wrong-table',
  'wrong-filter',
  'wrong-grouping',
  'wrong-period',
  'format',
  'stale-data',
  'other',
] as const satisfies readonly FeedbackReason[]

/**
 * What a person did about an answer, beside the thumbs (`core/vote.ts`). SQL is as they wrote it; where it has just been
 * run in the place of the answer, with the group key of its result, so that it is not run again.
 */
export type Feedback =
  | { readonly kind: 'reason'; readonly reason: FeedbackReason; readonly note: string | null }
  /** Picked another result that was offered: the group's key, as `ExecutionGroup.key`. */
  | { readonly kind: 'alternative'; readonly groupKey: string }
  /** Gave the SQL that they meant. */
  | { readonly kind: 'sql'; readonly sql: string; readonly groupKey?: string }
  /** Changed the SQL of the answer and ran it. */
  | { readonly kind: 'edit'; readonly sql: string; readonly groupKey?: string }
  /** Took the rows away as a file. */
  | { readonly kind: 'export' }
  /** Saved the answer as verified. */
  | { readonly kind: 'verification' }

export type FeedbackKind = Feedback['kind']

/** Feedback as it is kept. */
export interface StoredFeedback {
  readonly questionId: string
  readonly person: string
  readonly kind: FeedbackKind
  /** Of the answer as it stood then. */
  readonly answerKey: string
  /**
   * The group that it speaks for: that of the answer but for an alternative and for SQL, whose result may be one that
   * no candidate had.
   */
  readonly groupKey: string
  readonly reason: FeedbackReason | null
  readonly note: string | null
  readonly sql: string | null
  readonly givenAt: Date
}

/**
 * How keeping feedback went. `unfit`: the guard or the database refused the SQL, or no such result was offered; the
 * reason is for the person's eyes. `gone`: the question has no answer (any more).
 */
type FeedbackResult =
  | { readonly status: 'stored'; readonly stored: StoredFeedback }
  | { readonly status: 'unfit'; readonly reason: string }
  | { readonly status: 'gone' }

/**
 * Keeps what a person did about an answer: selection learns from it. Of each kind a person's last on an answer counts.
 * SQL whose result is not known yet runs once, through guard, read-only, under every cap: it decides which result the
 * person meant.
 */
export type RecordFeedback = (given: {
  readonly questionId: string
  readonly person: string
  readonly feedback: Feedback
  readonly signal?: AbortSignal
}) => Promise<FeedbackResult>

/** Everything that people did about one answer, with what the selector saw when it chose: what training reads. */
export interface AnswerFeedback {
  readonly questionId: string
  readonly question: string
  readonly database: string
  readonly snapshot: SelectionSnapshot
  /** The last vote of each person, with the candidate that it was about. */
  readonly votes: readonly {
    readonly person: string
    readonly vote: Vote
    readonly candidateId: string
    readonly votedAt: Date
  }[]
  /** The last of each kind of each person. */
  readonly feedback: readonly StoredFeedback[]
  /** All candidates of the question. */
  readonly candidates: readonly { readonly id: string; readonly lineage: string; readonly sql: string }[]
}

/** What a person decided about an answer that they were asked to look at. */
export type ReviewDecision = 'approved' | 'fixed' | 'rejected'

/**
 * An answer that people are asked to look at, as it stood when they were asked; a question has one such request. The
 * answer may change meanwhile: a decision is about this SQL.
 */
export interface ReviewRequest {
  readonly questionId: string
  /** Where it was posted. */
  readonly channel: string
  readonly sql: string
  readonly resultId: string
  readonly headline: string
  readonly askedBy: string
  readonly askedAt: Date
  /** Null while nobody has decided. */
  readonly decided: {
    readonly decision: ReviewDecision
    readonly by: string
    readonly at: Date
    /** Why it was rejected. */
    readonly reason: string | null
  } | null
}

/** Asks people to look at an answer. `nobody`: no channel is configured. `already`: they were asked before. */
export type RequestReview = (given: {
  readonly questionId: string
  readonly person: string
}) => Promise<'asked' | 'already' | 'nobody' | 'gone'>

/** Takes the decision of whoever is first. `late` when it is decided, `gone` when nobody was asked. */
export type DecideReview = (given: {
  readonly questionId: string
  readonly decision: ReviewDecision
  readonly person: string
  readonly reason: string | null
}) => Promise<'taken' | 'late' | 'gone'>

/** Puts requests and decisions in front of people. Each message is posted once; calling again is harmless. */
export interface ReviewChannel {
  /** Shows the request where people look at them, open or decided. False when nobody can be reached there. */
  show(request: ReviewRequest): Promise<boolean>
  /** Tells the thread of the question that nobody could be reached, and what to do. */
  notifyUnavailable(request: ReviewRequest): Promise<void>
  /** Tells the thread of the question what was decided. */
  notifyDecision(request: ReviewRequest): Promise<void>
}
