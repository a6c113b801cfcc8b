import type { Dialect } from './dialect.ts'
import type { DraftInput } from './draft.ts'
import type { VerifiedQuery } from './verified-query.ts'

/** An accepted verified query, and how alike its question is to the one that is asked, from 0 to 1. */
export interface SimilarVerifiedQuery {
  readonly query: VerifiedQuery
  readonly likeness: number
}

/** Finds all of a database, the most alike first; none where they cannot be read. Rejects only when the signal fired. */
export type FindSimilarVerified = (
  input: Pick<DraftInput, 'understanding' | 'database' | 'matches' | 'signal'>,
) => Promise<readonly SimilarVerifiedQuery[]>

/** Makes the measure of how much a statement looks like them, from 0 to 1. Pure; what is near is taken apart once. */
export type MakeVerifiedSimilarity = (
  near: readonly SimilarVerifiedQuery[],
  dialect: Dialect,
) => (sql: string) => number
