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
