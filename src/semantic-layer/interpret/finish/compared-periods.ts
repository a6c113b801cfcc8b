import { DateTime } from 'luxon'
import type { Comparison } from '../../../domain/metrics/metric-query.ts'
import type { TimeSpan } from '../../../domain/question-context.ts'
import type { PlacedPeriod } from '../draft/query-draft.ts'

/** Days from `from`, `until` excluded. */
export interface Days {
  readonly from: string | null
  readonly until: string | null
}

/** A period beside another; if it is still running, the other is cut to the same stretch. */
export const comparisonOf = (
  current: Days,
  other: { readonly from: string; readonly until: string; readonly label: string },
  today: string,
): Comparison => {
  const tomorrow = DateTime.fromISO(today).plus({ days: 1 })
  const { from, until } = current
  const isRunning =
    from !== null && until !== null && DateTime.fromISO(until) > tomorrow && DateTime.fromISO(from) < tomorrow
  if (!isRunning) return { kind: 'period', ...other, isSameStretch: false }
  const { months, days } = tomorrow.diff(DateTime.fromISO(from), ['months', 'days']).toObject()
  const cut =
    DateTime.fromISO(other.from)
      .plus({ months: months ?? 0, days: days ?? 0 })
      .toISODate() ?? other.until
  return {
    kind: 'period',
    from: other.from,
    until: cut < other.until ? cut : other.until,
    label: other.label,
    isSameStretch: true,
  }
}

/** The same days a year before. */
export const yearBefore = ({ from, until }: Days) => ({
  from:
    DateTime.fromISO(from ?? '')
      .minus({ years: 1 })
      .toISODate() ?? '',
  until:
    DateTime.fromISO(until ?? '')
      .minus({ years: 1 })
      .toISODate() ?? '',
  label: 'a year before',
})

/** The period of the same length just before: the month before a month. */
export const stretchBefore = ({ from, until }: Days) => {
  const [start, end] = [DateTime.fromISO(from ?? ''), DateTime.fromISO(until ?? '')]
  const { months } = end.diff(start, 'months')
  const before =
    Number.isInteger(months) && months > 0
      ? start.minus({ months })
      : start.minus({ days: end.diff(start, 'days').days })
  return { from: before.toISODate() ?? '', until: from ?? '', label: 'the period before' }
}

/** October of the year that is named beside an October. Null unless a whole other year is named. */
export const samePart = (days: Days, { from, until, phrase }: TimeSpan): Days | null => {
  if (!/\byear\b/i.test(phrase) && !/^(?:in )?(?:19|20)\d\d$/.test(phrase)) return null
  if (!days.from || !days.until || !from || !until) return null
  const [start, end, year] = [
    DateTime.fromISO(days.from),
    DateTime.fromISO(days.until),
    DateTime.fromISO(from),
  ]
  const isWholeYear =
    DateTime.fromISO(until).equals(year.plus({ years: 1 })) && year.month === 1 && year.day === 1
  if (!isWholeYear || end.diff(start, 'months').months >= 12 || start.year === year.year) return null
  const years = year.year - start.year
  return { from: start.plus({ years }).toISODate(), until: end.plus({ years }).toISODate() }
}

/**
 * What a lone period behind "compared to" is compared with: the running one of its kind, as this year beside last year.
 * Null if it is no calendar period, or not over.
 */
export const runningBeside = ({ span, date, at }: PlacedPeriod, today: string): PlacedPeriod | null => {
  if (!span.from || !span.until) return null
  const [start, end] = [span.from, span.until].map(day => DateTime.fromISO(day)) as [DateTime, DateTime]
  const unit = (['day', 'week', 'month', 'quarter', 'year'] as const).find(
    one => start.equals(start.startOf(one)) && end.equals(start.plus({ [one]: 1 })),
  )
  if (unit === undefined) return null
  const from = DateTime.fromISO(today).startOf(unit)
  if (end > from) return null
  const until = from.plus({ [unit]: 1 })
  const phrase = unit === 'day' ? 'today' : `this ${unit}`
  return { span: { phrase, at: span.at, from: from.toISODate(), until: until.toISODate() }, date, at }
}

/** How a series shows two periods side by side: each value beside that of a year before, or of the one before. */
export const lagOf = (current: Days, other: Days): 'year' | 'previous' =>
  current.from !== null && other.from !== null && other.from <= yearBefore(current).from ? 'year' : 'previous'
