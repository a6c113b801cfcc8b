import type { Candidate } from './candidate.ts'
import type { ExecutionGroup } from './execution-group.ts'

/** One choice of a question back, with the candidates that survive it. */
export interface ClarificationOption {
  readonly label: string
  /** What the choice would give, for instance `5 rows`. Empty when unknown. */
  readonly hint: string
  readonly candidateIds: readonly string[]
}

/** A question back: two to four options, of which `defaultOption` (an index) is used if nobody answers. */
export interface Clarification {
  readonly question: string
  readonly options: readonly ClarificationOption[]
  readonly defaultOption: number
}

/** What came back: the number of an option (from 1), or words. */
export type ClarificationReply =
  | { readonly kind: 'option'; readonly number: number }
  | { readonly kind: 'text'; readonly text: string }

/**
 * Finds the one question worth asking among leading groups: the decision on which near-equal readings differ.
 * Null when they do not differ in a way that a person could settle.
 */
export type FindClarification = (
  groups: readonly ExecutionGroup[],
  candidates: readonly Candidate[],
) => Clarification | null

/** Takes the one reply that a question back may have. `late` when somebody, or the expiry, was first. */
export type ReplyToQuestion = (given: {
  readonly questionId: string
  readonly reply: ClarificationReply
  readonly repliedBy: string | null
}) => Promise<'taken' | 'late'>
