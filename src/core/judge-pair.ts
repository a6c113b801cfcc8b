import type { Candidate } from './candidate.ts'
import type { Database } from './database.ts'
import type { ExecutionGroup } from './execution-group.ts'
import type { LinkedSchema } from './linked-schema.ts'
import type { ResultTable } from './result.ts'
import type { Understanding } from './understanding.ts'
import type { ModelUsage } from './usage.ts'
import type { ValueMatch } from './value-match.ts'

/** One of two statements that are compared, and its result; null when that is no longer kept. */
export interface ComparedStatement {
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
  readonly place: number
  /** Drafts that came to this result; the readings of one draft are rivals, and count once. */
  readonly votes: number
  readonly representative: Candidate
}

/**
 * Probability from 0 to 1 that the first of two groups is right, if one of them is. Local, free and the same each time;
 * the two orders add up to 1.
 */
export type RatePair = (first: PairMember, second: PairMember) => number
