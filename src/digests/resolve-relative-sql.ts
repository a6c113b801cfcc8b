import type { RelativeSql } from '../core/digest.ts'
import { parseDayLiteral } from './day-literal.ts'
import { addDays, type FindPhraseDays } from './days-of-phrase.ts'
import { dayOfBound } from './read-relative.ts'

/** A statement for one day. `periods` are in words with their days: `last week: 2026-11-09 to 2026-11-15`. */
export type ResolvedSql =
  | { readonly status: 'resolved'; readonly sql: string; readonly periods: readonly string[] }
  /** The words do not mean what they meant when it was saved. */
  | { readonly status: 'lost'; readonly phrase: string }

/** Writes a statement for a day (ISO): each bound of its relative periods becomes what the words mean on that day. */
export const resolveRelativeSql = (
  statement: RelativeSql,
  today: string,
  daysOf: FindPhraseDays,
): ResolvedSql => {
  const edits: { readonly at: readonly [number, number]; readonly text: string }[] = []
  const periods: string[] = []
  for (const { phrase, bounds } of statement.periods) {
    const days = daysOf(phrase, today)
    if (days === null) return { status: 'lost', phrase }
    for (const { bound, at } of bounds) {
      const day = dayOfBound(days, bound)
      const literal = parseDayLiteral(statement.sql.slice(at[0] + 1, at[1] - 1))
      if (day === null || literal === null) return { status: 'lost', phrase }
      edits.push({ at, text: literal.write(day) })
    }
    periods.push(`${phrase}: ${formatDays(days.from, days.until)}`)
  }
  let { sql } = statement
  // From the back, so that what stands before keeps its place.
  for (const { at, text } of edits.toSorted((a, b) => b.at[0] - a.at[0]))
    sql = `${sql.slice(0, at[0] + 1)}${text}${sql.slice(at[1] - 1)}`
  return { status: 'resolved', sql, periods }
}

const formatDays = (from: string | null, until: string | null): string => {
  const last = until === null ? null : addDays(until, -1)
  if (from === null) return `until ${last}`
  if (last === null) return `from ${from}`
  return from === last ? from : `${from} to ${last}`
}
