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
