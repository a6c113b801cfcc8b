import type { Candidate, ExecutionGroup } from './candidate.ts'
import type { Catalog } from './catalog.ts'
import type { Database } from './database.ts'
import type { ModelUsage } from './operations/usage.ts'
import type { LinkedSchema, Understanding, ValueMatch } from './question-context.ts'
import type { ResultTable } from './result.ts'

/** One of two statements that are compared, and its result; null when that is no longer kept. */
interface ComparedStatement {
  readonly sql: string
  readonly result: ResultTable | null
}

/** Two statements with different results, in the order in which the judge sees them. */
export interface PairInput {
  readonly understanding: Understanding
  readonly database: Database
  /** The union of what the two statements read (CHASE-SQL 3.5). */
  readonly linked: LinkedSchema
  readonly matches: readonly ValueMatch[]
  readonly first: ComparedStatement
  readonly second: ComparedStatement
  /** Whose model budget pays. */
  readonly questionId?: string
  readonly signal?: AbortSignal
}

/** Says which of two statements answers the question. May see an order in them: ask in both. Throws `ModelError`. */
export type DecidePairWinner = (
  input: PairInput,
) => Promise<{ readonly winner: 'first' | 'second'; readonly reason: string; readonly usage: ModelUsage }>

/** A group of equal results, by the candidate that stands for it. */
export interface PairMember {
  readonly group: ExecutionGroup
  /** Where the vote has it, 0 for its leader. */
  readonly rank: number
  /** Drafts that came to this result; the readings of one draft are rivals, and count once. */
  readonly votes: number
  readonly representative: Candidate
}

/**
 * Probability from 0 to 1 that the first of two groups is right, if one of them is. Local, free and the same each time;
 * the two orders add up to 1.
 */
export type RatePair = (first: PairMember, second: PairMember) => number

/** One of two statements with different results, and its rows. */
interface ProbePairSide {
  readonly sql: string
  readonly result: ResultTable
}

/** Two statements that may be told apart without a model. */
interface ProbePairInput {
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
