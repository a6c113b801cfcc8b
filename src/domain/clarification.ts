import type { Candidate, ExecutionGroup } from './candidate.ts'
import type { Catalog } from './catalog.ts'
import type { RuleMeaning } from './knowledge.ts'
import type { ResultHead } from './result.ts'

/** One choice of a question back, with the candidates that survive it. */
export interface ClarificationOption {
  readonly label: string
  /** What the choice would give, for instance `5 rows`. Empty when unknown. */
  readonly hint: string
  readonly candidateIds: readonly string[]
  /** What choosing it says of the team's words, for a rule to be proposed; left out where it says nothing lasting. */
  readonly means?: RuleMeaning
  /**
   * What choosing it does, where the question is whether a heavy statement may be run: run it, show what could be asked
   * instead, or nothing. Left out where the options are readings.
   */
  readonly act?: 'run' | 'narrow' | 'cancel'
}

/** A question back: two to four options, of which `defaultOption` (an index) is used if nobody answers. */
export interface Clarification {
  readonly question: string
  readonly options: readonly ClarificationOption[]
  readonly defaultOption: number
}

/** What came back: the number of an option (from 1), or words. `expired` when nobody replied: it is the default. */
export type ClarificationReply =
  | { readonly kind: 'option'; readonly number: number; readonly expired?: true }
  | { readonly kind: 'text'; readonly text: string }

/** A question back with what it is worth. */
export interface ScoredClarification {
  readonly clarification: Clarification
  /** Expected information gain in bits: H(Y) - H(Y|X), Y the right group and X the option that is chosen. */
  readonly gain: number
  /** Expected probability of a right answer after asking, less that of answering at once; 0 to 1. */
  readonly value: number
}

/**
 * Finds the best question to ask about the groups of one question, best group first, with their probabilities as
 * scores. `heads` are first rows by the id of the result, as far as they are at hand. Null when the groups do not
 * differ in a way that a person could settle. Pure; whether the value is worth a person's attention is not decided here.
 */
export type FindClarification = (given: {
  readonly question: string
  readonly catalog: Catalog
  readonly groups: readonly ExecutionGroup[]
  readonly candidates: readonly Candidate[]
  readonly heads?: ReadonlyMap<string, ResultHead>
}) => ScoredClarification | null

/** Takes the one reply that a question back may have. `late` when somebody, or the expiry, was first. */
export type ReplyToClarification = (given: {
  readonly questionId: string
  readonly reply: ClarificationReply
  readonly repliedBy: string | null
}) => Promise<'taken' | 'late'>
