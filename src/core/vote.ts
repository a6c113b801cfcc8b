/** What a person said of an answer. The last vote of a person counts. */
export type Vote = 'up' | 'down'

/** The last votes of everybody on one answer. */
export interface VoteCount {
  readonly up: number
  readonly down: number
}
