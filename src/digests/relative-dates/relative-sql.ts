import type { RelativePeriod, RelativeSql } from '../../domain/digests/digest.ts'
import type { ParseDialect } from '../../domain/sql.ts'
import { formatDays } from '../../lib/format-figure.ts'
import {
  addDays,
  type FindPhraseDays,
  findDayLiterals,
  isRelative,
  type LocatedDay,
  type PhraseDays,
  parseDayLiteral,
  usesCurrentDate,
} from './day-literals.ts'

/** A period of a question, with the days it meant. */
interface NamedPeriod extends PhraseDays {
  readonly phrase: string
}

type Bound = RelativePeriod['bounds'][number]['bound']

/** A literal that bounds a period. `isEqual`: the column is compared for equality. */
interface FoundBound {
  readonly period: NamedPeriod
  readonly bound: Bound
  readonly at: readonly [number, number]
  readonly isEqual: boolean
}

/** A statement with its relative periods, and notes for the person. */
interface RelativeSqlParse {
  readonly statement: RelativeSql
  readonly notes: readonly string[]
}

/**
 * Finds the literals that bound the question's relative periods; `today` is the day (ISO) the periods were resolved on.
 * A literal moves only if its day and its comparison show that it bounds one relative period and nothing else in the
 * question. A period without its bounds is reported in a note.
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
  // Parsed alone, a phrase may mean something else than in its question.
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

/** The bounds a literal may be, by its day and comparison. */
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
      // One day, or the first day of a period the column is truncated to.
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

/** Days ahead that separate two bounds that coincide today. */
const probes = [1, 2, 8, 15, 32, 61, 93, 184, 366]

/** Whether all bounds a literal may be are the same day on every other day too. */
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

/** The day of a period's bound; null if it has none. */
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
 * Whether each end of the period is in the statement. A future end may be left out, and equality with the start covers
 * the whole period.
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
  /** The words no longer mean what they meant when it was saved. */
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
  // Back to front, so that earlier positions stay valid.
  for (const { at, text } of edits.toSorted((a, b) => b.at[0] - a.at[0]))
    sql = `${sql.slice(0, at[0] + 1)}${text}${sql.slice(at[1] - 1)}`
  return { status: 'resolved', sql, periods }
}

/**
 * Finds the same periods in another text of a statement, written for the same day; null if one of them does not occur
 * as often as before.
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
