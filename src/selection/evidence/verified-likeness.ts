import type { Dialect } from '../../core/dialect.ts'
import type { MakeVerifiedSimilarity } from '../../core/near-verified.ts'
import { skeletonSimilarityTo } from '../../sql/skeleton-likeness.ts'
import { sqlReferences } from '../../sql/sql-references.ts'
import { sqlSkeleton } from '../../sql/sql-skeleton.ts'

/** Verified queries that are looked at; those that are less alike could not say more. */
const MOST = 10

/** Questions less alike than this are about something else: their SQL says nothing of the candidate. */
const LEAST = 0.35

/**
 * Makes the measure of how much a candidate's SQL looks like what people verified for questions like this one, from 0 to
 * 1: for each verified query, half the likeness of the skeletons, half the share of tables that both read, times the
 * likeness of the questions; the largest counts. 0 where nothing near is verified, or the SQL cannot be parsed. Pure; the
 * verified queries are taken apart once for all candidates of a question. `near` is `FindSimilarVerified`'s, or any part.
 */
export const makeVerifiedSimilarity: MakeVerifiedSimilarity = (near, dialect) => {
  const known = [...near]
    .filter(({ likeness }) => likeness >= LEAST)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MOST)
    .map(({ query, likeness }) => ({
      likeness,
      asShaped: query.skeleton === null ? null : skeletonSimilarityTo(query.skeleton),
      tables: query.touches?.map(({ name }) => name.toLowerCase()) ?? tablesOf(query.sql, dialect),
    }))
  if (known.length === 0) return () => 0
  return sql => {
    const skeleton = sqlSkeleton(sql, dialect)
    if (skeleton === null) return 0
    const tables = tablesOf(sql, dialect)
    return Math.max(
      ...known.map(
        one => (one.likeness * ((one.asShaped?.(skeleton) ?? 0) + shared(tables, one.tables))) / 2,
      ),
    )
  }
}

const tablesOf = (sql: string, dialect: Dialect): readonly string[] =>
  (sqlReferences(sql, dialect)?.tables ?? []).map(({ name }) => name.toLowerCase())

/** Jaccard, of sets; two statements without tables are alike. */
const shared = (some: readonly string[], others: readonly string[]): number => {
  const other = new Set(others)
  const both = [...new Set(some)].filter(name => other.has(name)).length
  const all = new Set([...some, ...others]).size
  return all === 0 ? 1 : both / all
}
