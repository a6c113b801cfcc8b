import type { SelectionSnapshot } from './selection/ranking.ts'

/** A vote on an answer. A person's last vote counts. */
export type Vote = 'up' | 'down'

/** Counts of everyone's last votes on one answer. */
export interface VoteCount {
  readonly up: number
  readonly down: number
}

/** Stores a person's vote, replacing an earlier one, and returns the counts. Null if there is no answer. */
export type RecordVote = (given: {
  readonly questionId: string
  readonly person: string
  readonly vote: Vote
}) => Promise<VoteCount | null>

/** What a person says is wrong with an answer. */
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
 * What a person did about an answer besides voting. SQL is as the person wrote it, with the group key of its result if
 * it was just run in place of the answer; it is then not run again.
 */
export type Feedback =
  | { readonly kind: 'reason'; readonly reason: FeedbackReason; readonly note: string | null }
  /** Picked another offered result, by its `ExecutionGroup.key`. */
  | { readonly kind: 'alternative'; readonly groupKey: string }
  /** Provided the SQL they meant. */
  | { readonly kind: 'sql'; readonly sql: string; readonly groupKey?: string }
  /** Edited the answer's SQL and ran it. */
  | { readonly kind: 'edit'; readonly sql: string; readonly groupKey?: string }
  /** Exported the rows as a file. */
  | { readonly kind: 'export' }
  /** Saved the answer as a verified query. */
  | { readonly kind: 'verification' }

export type FeedbackKind = Feedback['kind']

/** Stored feedback. */
export interface StoredFeedback {
  readonly questionId: string
  readonly person: string
  readonly kind: FeedbackKind
  /** Group key of the answer at that time. */
  readonly answerKey: string
  /**
   * The group the feedback supports: that of the answer, except for an alternative or for SQL, whose result may match
   * no candidate.
   */
  readonly groupKey: string
  readonly reason: FeedbackReason | null
  readonly note: string | null
  readonly sql: string | null
  readonly givenAt: Date
}

/** An admin's decision about what a person said of an answer: whether it may train. */
export interface FeedbackReview {
  readonly person: string
  readonly decision: 'accepted' | 'dropped'
  readonly decidedAt: Date
}

/** A person who said something of an answer. */
export interface SpeakerRecord {
  readonly person: string
  /** What their word weighs, 0 to 1; null while nobody knows. */
  readonly weight: number | null
  /** Answers of which they said something at about the same time, this one included. */
  readonly recent: number
}

/**
 * The result of storing feedback. `unfit`: the guard or the database refused the SQL, or the result was not offered;
 * the person sees the reason. `gone`: the question has no answer, or no longer has one.
 */
type FeedbackResult =
  | { readonly status: 'stored'; readonly stored: StoredFeedback }
  | { readonly status: 'unfit'; readonly reason: string }
  | { readonly status: 'gone' }

/**
 * Stores what a person did about an answer; selection learns from it. Only a person's last feedback of each kind counts
 * per answer. SQL without a known result runs once, guarded, read-only and under every cap, to find out which result
 * the person meant.
 */
export type RecordFeedback = (given: {
  readonly questionId: string
  readonly person: string
  readonly feedback: Feedback
  readonly signal?: AbortSignal
}) => Promise<FeedbackResult>

/** All feedback on one answer, with what the selector saw when it chose it. Training reads this. */
export interface AnswerFeedback {
  readonly questionId: string
  readonly question: string
  readonly database: string
  readonly snapshot: SelectionSnapshot
  /** The last vote of each person, with the candidate it was for. */
  readonly votes: readonly {
    readonly person: string
    readonly vote: Vote
    readonly candidateId: string
    readonly votedAt: Date
  }[]
  /** The last feedback of each kind and person. */
  readonly feedback: readonly StoredFeedback[]
  /** What admins decided about what a person said of the answer, once for each person. */
  readonly reviews: readonly FeedbackReview[]
  /** All candidates of the question. */
  readonly candidates: readonly { readonly id: string; readonly lineage: string; readonly sql: string }[]
}

/** A reviewer's decision on an answer. */
export type ReviewDecision = 'approved' | 'fixed' | 'rejected'

/**
 * A request to review an answer as it was at that time; a question has at most one. The decision applies to this SQL
 * even if the answer changes meanwhile.
 */
export interface ReviewRequest {
  readonly questionId: string
  /** The channel it was posted in. */
  readonly channel: string
  readonly sql: string
  readonly resultId: string
  readonly headline: string
  readonly askedBy: string
  readonly askedAt: Date
  /** Null until it is decided. */
  readonly decided: {
    readonly decision: ReviewDecision
    readonly by: string
    readonly at: Date
    /** Why it was rejected. */
    readonly reason: string | null
  } | null
}

/**
 * Asks people to review an answer. `nobody`: no review channel is configured. `already`: a review was requested before.
 */
export type RequestReview = (given: {
  readonly questionId: string
  readonly person: string
}) => Promise<'asked' | 'already' | 'nobody' | 'gone'>

/** Records the first decision. `late` if it was already decided, `gone` if there is no request. */
export type DecideReview = (given: {
  readonly questionId: string
  readonly decision: ReviewDecision
  readonly person: string
  readonly reason: string | null
}) => Promise<'taken' | 'late' | 'gone'>

/** Shows review requests and decisions. Each message is posted once; calling again is harmless. */
export interface ReviewChannel {
  /** Shows the request in the review channel, open or decided. False if the channel cannot be reached. */
  show(request: ReviewRequest): Promise<boolean>
  /** Posts in the question's thread that no reviewer could be reached, and the next step. */
  notifyUnavailable(request: ReviewRequest): Promise<void>
  /** Posts the decision in the question's thread. */
  notifyDecision(request: ReviewRequest): Promise<void>
}
