import type { Catalog } from './catalog.ts'
import type { ResultTable } from './result.ts'

/** One of two statements with different results, and its rows. */
export interface ProbePairSide {
  readonly sql: string
  readonly result: ResultTable
}

/** Two statements that may be told apart without a model. */
export interface ProbePairInput {
  readonly question: string
  readonly catalog: Catalog
  readonly first: ProbePairSide
  readonly second: ProbePairSide
  /** Runs a small query through the guard, read-only, under caps; null where that failed or is too much. */
  readonly run: (sql: string) => Promise<ResultTable | null>
}

/**
 * Says which of two statements answers the question where their results, or a small query, say so clearly; null where
 * they say little or contradict one another. Swapping the two swaps the winner. Rejects only when `run` does.
 */
export type ProbePair = (
  input: ProbePairInput,
) => Promise<{ readonly winner: 'first' | 'second'; readonly reason: string } | null>
