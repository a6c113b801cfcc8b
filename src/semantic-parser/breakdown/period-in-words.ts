import { DateTime } from 'luxon'

/** Days of a period (ISO), `until` excluded. */
export interface DayRange {
  readonly from: string
  readonly until: string
}

const parseDay = (day: string): DateTime => DateTime.fromISO(day, { zone: 'utc' })

const formatDay = (day: DateTime): string => day.toISODate() ?? ''

/** The period of the same length just before: the month before a month, seven days before a week. */
export const precedingPeriod = ({ from, until }: DayRange): DayRange => {
  const [start, end] = [parseDay(from), parseDay(until)]
  const months = end.diff(start, 'months').months
  const isMonths = start.day === 1 && Number.isInteger(months) && months > 0
  const length = isMonths ? { months } : { days: Math.max(1, end.diff(start, 'days').days) }
  return { from: formatDay(start.minus(length)), until: from }
}

/** A period as people call it: `March 2026`, `Q1 2026`, `2026`, `5 May 2026`, else its first and last day. */
export const formatPeriod = ({ from, until }: DayRange): string => {
  const [start, end] = [parseDay(from), parseDay(until)]
  const is = (unit: 'year' | 'quarter' | 'month' | 'day'): boolean =>
    start.startOf(unit).equals(start) && start.plus({ [`${unit}s`]: 1 }).equals(end)
  if (is('year')) return start.toFormat('yyyy')
  if (is('quarter')) return start.toFormat("'Q'q yyyy")
  if (is('month')) return start.setLocale('en').toFormat('LLLL yyyy')
  if (is('day')) return start.setLocale('en').toFormat('d LLLL yyyy')
  return `${from} to ${formatDay(end.minus({ days: 1 }))}`
}
