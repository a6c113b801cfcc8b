import type { Candidate, ExecutionGroup } from '../candidate.ts'
import type { Catalog } from '../catalog.ts'
import type { Database } from '../database.ts'
import type { ModelUsage } from '../operations/usage.ts'
import type { LinkedSchema, Understanding, ValueMatch } from '../question-context.ts'
import type { ResultTable } from '../result.ts'

/** One of two compared statements and its result; null if that has expired. */
interface ComparedStatement {
  readonly sql: string
  readonly result: ResultTable | null
}

/** Two statements with different results, in the order the judge sees them. */
export interface PairInput {
  readonly understanding: Understanding
  readonly database: Database
  /** The union of what the two statements read (CHASE-SQL 3.5). */
  readonly linked: LinkedSchema
  readonly matches: readonly ValueMatch[]
  readonly first: ComparedStatement
  readonly second: ComparedStatement
  /** The question whose model budget pays. */
  readonly questionId?: string
  readonly signal?: AbortSignal
}

/**
 * Decides which of two statements answers the question. Order can matter, so ask in both orders. Throws `ModelError`.
 */
export type DecidePairWinner = (
  input: PairInput,
) => Promise<{ readonly winner: 'first' | 'second'; readonly reason: string; readonly usage: ModelUsage }>

/** A group of equal results, with the candidate that represents it. */
export interface PairMember {
  readonly group: ExecutionGroup
  /** Its rank in the vote, 0 for the leader. */
  readonly rank: number
  /** Drafts with this result, in full mode those of models. The interpretations of one draft compete, so it counts once. */
  readonly votes: number
  readonly representative: Candidate
}

/**
 * Probability, 0 to 1, that the first of two groups is right, if one is. Local, free and deterministic; both orders add
 * up to 1.
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
  /** Runs a small query: guarded, read-only and under caps; null if that failed or reads too much. */
  readonly run: (sql: string) => Promise<ResultTable | null>
}

/**
 * Decides which of two statements answers the question if their results or a small query show it clearly; null if the
 * evidence is weak or contradictory. Swapping the two swaps the winner. Rejects only when `run` does.
 */
export type ProbePair = (
  input: ProbePairInput,
) => Promise<{ readonly winner: 'first' | 'second'; readonly reason: string } | null>
