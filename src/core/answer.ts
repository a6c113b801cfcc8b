import type { Candidate } from './candidate.ts'
import type { Clarification } from './clarification.ts'
import type { Trace } from './trace.ts'
import type { Usage } from './usage.ts'

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
    }
  | { readonly status: 'needs-clarification'; readonly clarification: Clarification }
  | { readonly status: 'refused'; readonly reason: string; readonly nextStep: string }
  | { readonly status: 'failed'; readonly reason: string; readonly nextStep: string }

/** What the graph hands back: the outcome, everything tried on the way, and what it cost. */
export interface AnswerReport {
  readonly questionId: string
  readonly outcome: Outcome
  readonly candidates: readonly Candidate[]
  readonly usage: Usage
  /** How it came about; null where a run broke before there was anything to tell. */
  readonly trace?: Trace | null
}
