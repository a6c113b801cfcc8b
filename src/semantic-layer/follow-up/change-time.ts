import { DateTime } from 'luxon'
import type { Comparison, MetricPeriod } from '../../domain/metrics/metric-query.ts'
import { formatPeriod } from '../../lib/format-figure.ts'
import {
  comparisonOf,
  type Days,
  samePart,
  stretchBefore,
  yearBefore,
} from '../interpret/finish/compared-periods.ts'
import { type Change, cueSaid, mapFilters, saysCue } from './changed-query.ts'

/** "The month before", "same period last year": other days by those that were asked about. */
export interface PeriodShift {
  /** `period` is as long as the period itself. */
  readonly unit: 'period' | 'day' | 'week' | 'month' | 'quarter' | 'year'
  /** -1 is before, 1 is after. */
  readonly direction: -1 | 1
}

const unitPattern = '(period|day|week|month|quarter|year)'

const shifts: readonly (readonly [RegExp, -1 | 1])[] = [
  [
    /\b(?:in |for |during |from )?(?:the )?same (?:period|time|days?|weeks?|months?|quarters?) (?:of |in |a |the )*(?:last|previous|prior|past)? ?(year)(?: ago| before| earlier)?\b/i,
    -1,
  ],
  [new RegExp(`\\b(?:in |for |during )?(?:the )?(?:previous|prior|preceding) ${unitPattern}\\b`, 'i'), -1],
  [
    new RegExp(
      `\\b(?:in |for |during )?(?:(?:the|a|one) )?${unitPattern} (?:before|earlier|prior|previously)(?: (?:that|this|it))?\\b`,
      'i',
    ),
    -1,
  ],
  [
    new RegExp(
      `\\b(?:in |for |during )?(?:the )?(?:following ${unitPattern}|${unitPattern} (?:after|later)(?: (?:that|this|it))?)\\b`,
      'i',
    ),
    1,
  ],
]

/** Takes the words of a shift out of a text. */
export const splitShift = (text: string): { readonly rest: string; readonly shift: PeriodShift | null } => {
  for (const [pattern, direction] of shifts) {
    const match = pattern.exec(text)
    if (match === null) continue
    const unit = (match[1] ?? match[2] ?? 'period').toLowerCase() as PeriodShift['unit']
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`
    return { rest: rest.replace(/\s+/g, ' ').trim(), shift: { unit, direction } }
  }
  return { rest: text, shift: null }
}

/** The days that a query is about: its period, or the first that one of its conditions has. */
export const daysAsked = (change: Pick<Change, 'query'>): Days | null => {
  if (change.query.period !== null) return change.query.period
  let found: Days | null = null
  mapFilters(change.query, filter => {
    if (filter.kind === 'period') found ??= filter
    return filter
  })
  return found
}

/** How a period of the change is taken: as it stands, or as that part of it which was asked about ("and last year?"). */
export type PeriodMode = 'as-said' | 'same-part'

/** The period, what it is compared with, and days before or after those that were asked about. */
export const changeTime = (change: Change, shift: PeriodShift | null, mode: PeriodMode): void => {
  const { draft, manner } = change
  const days = daysAsked(change)
  const isCompared = saysCue(change, 'versus', 'compare', 'growth') && !change.used.has('compare')
  const [first, second] = draft.periods
  if (isCompared || (manner.adds && (first || shift) && days?.from && days.until)) {
    comparePeriods(change, shift, mode)
    return
  }
  if (first && second) {
    const both = draft.periods.toSorted((a, b) => (b.span.from ?? '').localeCompare(a.span.from ?? ''))
    setPeriod(change, { ...both[0]!.span, at: first.date })
    setComparison(change, both[1]!.span, both[1]!.span.phrase)
    return
  }
  if (shift !== null) {
    const moved = days && shifted(days, shift)
    if (moved === null) {
      unread(change, 'period')
      return
    }
    setPeriod(change, { ...moved, at: change.query.period?.at ?? null, phrase: daysText(moved) })
    return
  }
  if (first === undefined) return
  const span = mode === 'same-part' && days ? (samePart(days, first.span) ?? first.span) : first.span
  const phrase = span === first.span ? first.span.phrase : daysText(span)
  setPeriod(change, { from: span.from, until: span.until, at: first.date, phrase })
}

const unread = (change: Change, word: string): void => {
  change.unused.push(word)
  change.score -= 1
}

/** Whether "last year" may mean that part of it which was asked about: October of last year. */
export const mayBeSamePart = (change: Pick<Change, 'query' | 'draft'>): boolean => {
  const days = daysAsked(change)
  const [first] = change.draft.periods
  return days !== null && first !== undefined && samePart(days, first.span) !== null
}

/** Puts other days in place of the period, or of the condition that has it. A comparison goes along with them. */
const setPeriod = (change: Change, period: MetricPeriod): void => {
  const { query } = change
  const { from, until } = period
  const isNested = query.period === null && daysAsked(change) !== null
  if (isNested)
    change.query = mapFilters(query, filter =>
      filter.kind === 'period' ? { ...filter, from, until } : filter,
    )
  else change.query = { ...query, period: { ...period, at: period.at ?? query.period?.at ?? null } }
  const how = query.period !== null || isNested ? 'now' : 'only'
  change.said.push({ kind: 'filter', how, filter: { kind: 'period', phrase: period.phrase, negated: false } })
  const { compare } = change.query
  if (compare?.kind !== 'period') return
  change.query = { ...change.query, compare: null }
  if (!from || !until) return
  const moved = { from, until }
  const other =
    compare.label === yearBefore(moved).label
      ? yearBefore(moved)
      : compare.label === stretchBefore(moved).label
        ? stretchBefore(moved)
        : null
  if (other !== null)
    change.query = { ...change.query, compare: comparisonOf(moved, other, change.context.today) }
}

const comparePeriods = (change: Change, shift: PeriodShift | null, mode: PeriodMode): void => {
  const { draft, context } = change
  const growth = cueSaid(change, 'growth')
  const grain = change.query.groupBy.some(key => key.kind === 'grain')
  const [first, second] = draft.periods
  const lag = growth?.lag ?? (shift?.unit === 'year' ? 'year' : shift !== null ? 'previous' : null)
  const days = daysAsked(change)
  if (first && second) {
    const [current, other] = draft.periods.toSorted((a, b) =>
      (b.span.from ?? '').localeCompare(a.span.from ?? ''),
    )
    setPeriod(change, { ...current!.span, at: current!.date })
    setComparison(change, other!.span, other!.span.phrase)
    return
  }
  if (grain || (growth?.grain && !days)) {
    if (!grain)
      change.query = {
        ...change.query,
        groupBy: [{ kind: 'grain', at: null, grain: growth?.grain ?? 'month' }, ...change.query.groupBy],
      }
    const isYear =
      lag === 'year' || (lag === null && first !== undefined && /\byear\b/i.test(first.span.phrase))
    if (first && !isYear && !/\b(?:month|quarter|week|day|period)\b/i.test(first.span.phrase)) {
      unread(change, first.span.phrase)
      return
    }
    change.query = { ...change.query, compare: { kind: 'series', lag: isYear ? 'year' : 'previous' } }
    compared(change, isYear ? 'a year before' : 'the period before')
    return
  }
  if (days === null || !days.from || !days.until) {
    // Without a period of its own, the question before is about all time.
    unread(change, 'compare')
    return
  }
  if (change.query.rowsOf !== null || change.query.period === null) {
    unread(change, 'compare')
    return
  }
  const named = first && (samePart(days, first.span) ?? (isSameDays(first.span, days) ? null : first.span))
  const moved = shift ? shifted(days, shift) : null
  if (named && mode === 'as-said' && named.from && named.until) {
    setComparison(change, named, named === first?.span ? first.span.phrase : yearBefore(days).label)
    return
  }
  if (shift && moved === null) {
    unread(change, 'compare')
    return
  }
  const isYear = lag === 'year'
  const other = isYear ? yearBefore(days) : stretchBefore(days)
  change.query = { ...change.query, compare: comparisonOf(days, other, context.today) }
  compared(change, other.label)
}

const setComparison = (change: Change, other: Days, label: string): void => {
  const { period } = change.query
  const { from, until } = other
  if (period === null || from === null || until === null) {
    unread(change, 'compare')
    return
  }
  const compare: Comparison = comparisonOf(period, { from, until, label }, change.context.today)
  change.query = { ...change.query, compare, share: null, running: null }
  compared(change, label)
}

const compared = (change: Change, label: string): void => {
  for (const kind of ['versus', 'compare', 'growth'] as const) change.used.add(kind)
  change.said.push({ kind: 'compare', with: label })
}

const isSameDays = (a: Days, b: Days): boolean => a.from === b.from && a.until === b.until

/** The days before or after. Null if a period of many months is to be moved by one of them. */
const shifted = (days: Days, { unit, direction }: PeriodShift): Days | null => {
  if (!days.from || !days.until) return null
  const [start, end] = [DateTime.fromISO(days.from), DateTime.fromISO(days.until)]
  const { months } = end.diff(start, 'months')
  const ownLength =
    Number.isInteger(months) && months > 0 ? { months } : { days: end.diff(start, 'days').days }
  const length = unit === 'period' ? ownLength : unit === 'quarter' ? { months: 3 } : { [`${unit}s`]: 1 }
  // "The month before" of a year is no period of its kind.
  if (start.plus(length) < end) return null
  const by =
    direction === -1
      ? { from: start.minus(length), until: end.minus(length) }
      : { from: start.plus(length), until: end.plus(length) }
  return { from: by.from.toISODate(), until: by.until.toISODate() }
}

/** Days in words: "October 2025" as `Oct 2025`, other days by their first and last one. */
const daysText = ({ from, until }: Days): string => {
  if (!from || !until) return from ?? until ?? ''
  const [start, end] = [DateTime.fromISO(from), DateTime.fromISO(until)]
  for (const grain of ['year', 'quarter', 'month', 'day'] as const)
    if (start.equals(start.startOf(grain)) && end.equals(start.plus({ [`${grain}s`]: 1 })))
      return formatPeriod(from, grain) ?? from
  const last = end.minus({ days: 1 }).toISODate() ?? until
  return `${formatPeriod(from, 'day') ?? from} to ${formatPeriod(last, 'day') ?? last}`
}
