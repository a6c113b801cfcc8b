import type { Candidate } from './candidate.ts'
import type { Clarification } from './clarification.ts'
import type { RequestedView } from './follow-up.ts'
import type { Trace } from './trace.ts'
import type { ModelUsage } from './usage.ts'

/**
 * Another reading that an answer could have taken. The answer states the one it took among its assumptions; beside it a
 * surface can offer to change to this one.
 */
export interface AnswerAlternative {
  /** In plain words, for instance `return country of the hire`. */
  readonly label: string
  /** What it gives, for instance `5 rows`. Empty when unknown. */
  readonly hint: string
  /** The candidate to show in place of the answer's; it ran, so that its result is saved. */
  readonly candidateId: string
}

/** How one question ended, for now or for good. Consumers switch over `status` and end in `never`. */
export type Outcome =
  | {
      readonly status: 'answered'
      readonly candidateId: string
      readonly resultId: string
      readonly sql: string
      readonly confidence: number
      readonly headline: string
      readonly assumptions: readonly string[]
      /** The other readings worth offering, at most three, the likeliest first; left out where there are none. */
      readonly alternatives?: readonly AnswerAlternative[]
      /** How the rows are wanted, where the question said so. */
      readonly show?: RequestedView
      /** Set where it is shown again: the question that it was the answer of, and when (ISO) its rows were read. */
      readonly cached?: { readonly from: string; readonly readAt: string }
    }
  | { readonly status: 'needs-clarification'; readonly clarification: Clarification }
  | {
      readonly status: 'refused'
      readonly reason: string
      readonly nextStep: string
      /** Words of the question for which nothing in the database stands. */
      readonly missing?: readonly string[]
      /** Questions near this one that can be answered, or changes of the one before that can be made; at most three. */
      readonly nearest?: readonly string[]
      /** Who knows more about this database, as the configuration names them. */
      readonly whoToAsk?: string
    }
  | { readonly status: 'failed'; readonly reason: string; readonly nextStep: string }

/** What the graph hands back: the outcome, everything tried on the way, and what it cost. */
export interface AnswerReport {
  readonly questionId: string
  readonly outcome: Outcome
  readonly candidates: readonly Candidate[]
  readonly usage: ModelUsage
  /** How it came about; null where a run broke before there was anything to tell. */
  readonly trace?: Trace | null
}
