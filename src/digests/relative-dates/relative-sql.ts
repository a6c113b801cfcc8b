import type { RelativePeriod, RelativeSql } from '../../domain/digest.ts'
import type { ParseDialect } from '../../domain/sql.ts'
import { findDayLiterals, type LocatedDay, parseDayLiteral, usesCurrentDate } from './day-literals.ts'
import { addDays, type FindPhraseDays, isRelative, type PhraseDays } from './phrase-days.ts'

/** A period of a question with the days that it meant. */
interface NamedPeriod extends PhraseDays {
  readonly phrase: string
}

type Bound = RelativePeriod['bounds'][number]['bound']

/** A literal that is the bound of a period. `isEqual`: the column is held equal to it. */
interface FoundBound {
  readonly period: NamedPeriod
  readonly bound: Bound
  readonly at: readonly [number, number]
  readonly isEqual: boolean
}

/** A statement with its relative periods, and what a person should know about it. */
interface RelativeSqlParse {
  readonly statement: RelativeSql
  readonly notes: readonly string[]
}

/**
 * Finds which literals of a statement are the bounds of the question's relative periods, `today` being the day (ISO) on
 * which the periods meant these days. A literal moves only if its day and the way it is compared say that it is a bound
 * of one relative period and of nothing else in the question. A period without its bounds is told of in a remark.
 */
export const parseRelativeSql = (
  given: {
    readonly sql: string
    readonly dialect: ParseDialect
    readonly today: string
    readonly periods: readonly NamedPeriod[]
  },
  daysOf: FindPhraseDays,
): RelativeSqlParse => {
  const { sql, dialect, today } = given
  const named = given.periods.map(period => ({ ...period, moves: isRelative(period.phrase, today, daysOf) }))
  const relative = unique(named.filter(({ moves }) => moves))
  const fixed = named.filter(({ moves }) => !moves)
  // Read alone, a phrase may mean something else than it did in its question.
  const readable = relative.filter(({ phrase, from, until }) => {
    const read = daysOf(phrase, today)
    return read?.from === from && read.until === until
  })
  const found = findDayLiterals(sql, dialect).flatMap((placed): readonly FoundBound[] => {
    const meant = readable.flatMap(period =>
      boundsOfLiteral(placed, period).map(bound => ({ period, bound })),
    )
    const [only] = meant
    if (!only || fixed.some(period => boundsOfLiteral(placed, period).length > 0)) return []
    if (!boundsAgree(meant, today, daysOf)) return []
    return [{ ...only, at: placed.at, isEqual: placed.role === 'equal' }]
  })
  const periods = readable
    .map(period => ({ period, bounds: found.filter(bound => bound.period.phrase === period.phrase) }))
    .filter(({ period, bounds }) => isWhole(period, bounds, today))
    .map(({ period: { phrase }, bounds }) => ({
      phrase,
      bounds: bounds.map(({ bound, at }) => ({ bound, at })),
    }))
  const lost = relative.filter(({ phrase }) => !periods.some(period => period.phrase === phrase))
  const notes =
    lost.length === 0 || usesCurrentDate(sql, dialect)
      ? []
      : lost.map(
          ({ phrase }) =>
            `Its SQL has fixed dates where the question says “${phrase}”, so every run covers the same dates.`,
        )
  return { statement: { sql, today, periods }, notes }
}

/** The bounds of a period that a literal may be, by its day and by how it is compared. */
const boundsOfLiteral = ({ literal, role }: LocatedDay, { from, until }: PhraseDays): readonly Bound[] => {
  const { day, names } = literal
  const isFrom = from !== null && day === from
  const isUntil = until !== null && day === until
  const isLast = until !== null && addDays(day, 1) === until
  if (names === 'month') {
    const isThisMonth = isFrom && until !== null && addMonth(day) === until
    return role === 'equal' && isThisMonth ? ['from'] : []
  }
  switch (role) {
    case 'at-least':
    case 'between-low':
      return isFrom && names !== 'end' ? ['from'] : []
    case 'less':
      return isUntil && names !== 'end' ? ['until'] : []
    case 'at-most':
    case 'between-high':
      // `<= 2026-11-01 00:00` is the end of October; `<= 2026-10-31` its last day.
      if (names === 'start') return isUntil ? ['until'] : []
      return isLast ? ['last-day'] : []
    case 'equal':
      // One day, or the first of a period that the column is cut to.
      return isFrom && names !== 'end' ? ['from'] : []
    case 'more':
    case 'other':
      return []
    default: {
      const never: never = role
      return never
    }
  }
}

const addMonth = (day: string): string => {
  const date = new Date(`${day}T00:00:00Z`)
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)).toISOString().slice(0, 10)
}

/** Days ahead on which two bounds that are the same today show that they are two. */
const probes = [1, 2, 8, 15, 32, 61, 93, 184, 366]

/** Whether whatever a literal may be is the same day on every other day too. */
const boundsAgree = (
  meant: readonly { readonly period: NamedPeriod; readonly bound: Bound }[],
  today: string,
  daysOf: FindPhraseDays,
): boolean =>
  meant.length === 1 ||
  probes.every(days => {
    const on = addDays(today, days)
    const moved = meant.map(({ period, bound }) => dayOfBound(daysOf(period.phrase, on), bound))
    return new Set(moved).size === 1
  })

/** The day that a bound of a period is; null where it has none. */
const dayOfBound = (days: PhraseDays | null, bound: Bound): string | null => {
  if (days === null) return null
  switch (bound) {
    case 'from':
      return days.from
    case 'until':
      return days.until
    case 'last-day':
      return days.until === null ? null : addDays(days.until, -1)
    default: {
      const never: never = bound
      return never
    }
  }
}

/**
 * Whether each end that the period has is in the statement. An end that has not come yet may be left out, and a column
 * that is held equal to the beginning is held to the whole period.
 */
const isWhole = ({ from, until }: NamedPeriod, bounds: readonly FoundBound[], today: string): boolean => {
  if (bounds.length === 0) return false
  if (bounds.some(({ isEqual }) => isEqual)) return true
  const hasFrom = from === null || bounds.some(({ bound }) => bound === 'from')
  const mayBeOpen = until === null || until > today
  return hasFrom && (mayBeOpen || bounds.some(({ bound }) => bound !== 'from'))
}

const unique = <T extends NamedPeriod>(periods: readonly T[]): readonly T[] =>
  periods.filter((period, index) => periods.findIndex(({ phrase }) => phrase === period.phrase) === index)

/** A statement for one day. `periods` are in words with their days: `last week: 2026-11-09 to 2026-11-15`. */
type ResolvedSql =
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

/**
 * The same periods in another text of a statement, which was written for the same day; null where one of them is not in
 * it as often as it was.
 */
export const rebindPeriods = (
  before: RelativeSql,
  sql: string,
  dialect: ParseDialect,
  daysOf: FindPhraseDays,
): RelativeSql | null => {
  const { today } = before
  const periods = before.periods.flatMap(({ phrase }) => {
    const days = daysOf(phrase, today)
    return days ? [{ phrase, ...days }] : []
  })
  const { statement } = parseRelativeSql({ sql, dialect, today, periods }, daysOf)
  const isSame = before.periods.every(
    ({ phrase, bounds }) =>
      statement.periods.find(period => period.phrase === phrase)?.bounds.length === bounds.length,
  )
  return isSame ? statement : null
}
