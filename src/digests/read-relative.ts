import type { ParseDialect } from '../core/dialect.ts'
import type { RelativePeriod, RelativeSql } from '../core/digest.ts'
import { findDayLiterals, type LocatedDay } from './day-literals-of.ts'
import { addDays, type FindPhraseDays, isRelative, type PhraseDays } from './days-of-phrase.ts'
import { usesCurrentDate } from './names-current-day.ts'

/** A period of a question with the days that it meant. */
export interface NamedPeriod extends PhraseDays {
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
export interface RelativeSqlParse {
  readonly statement: RelativeSql
  readonly remarks: readonly string[]
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
  const remarks =
    lost.length === 0 || usesCurrentDate(sql, dialect)
      ? []
      : lost.map(
          ({ phrase }) =>
            `Its SQL names fixed days where the question says “${phrase}”: each run will be about the same days.`,
        )
  return { statement: { sql, today, periods }, remarks }
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
export const dayOfBound = (days: PhraseDays | null, bound: Bound): string | null => {
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
