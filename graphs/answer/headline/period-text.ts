import { addDays, firstOfMonth as firstOf, formatDays, formatPeriod } from '../../../src/lib/format-figure.ts'

/** Days of a period; `until` is the day after the last. */
interface Days {
  readonly from: string | null
  readonly until: string | null
}

/**
 * A period as a person says it: "in October 2026", "in Q3 2026", "on Nov 20, 2026", "since Mar 1, 2026". A period that
 * is still running on `today` is marked: "in November 2026 so far".
 */
export const periodText = ({ from, until }: Days, today: string): string => {
  if (from === null && until === null) return ''
  if (from === null) return `before ${yearOrDay(until ?? '')}`
  if (until === null || until > addDays(today, 366)) return `since ${yearOrDay(from)}`
  const isRunning = from <= today && until > addDays(today, 1)
  const whole = wholePeriod(from, until)
  const text = whole ?? (until === addDays(from, 1) ? `on ${day(from)}` : `from ${formatDays(from, until)}`)
  return isRunning ? `${text} so far` : text
}

/** The first day of a year is the year. */
const yearOrDay = (iso: string): string => (iso.endsWith('-01-01') ? iso.slice(0, 4) : day(iso))

const longMonths = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** The period as one unit of the calendar, if it is one. */
const wholePeriod = (from: string, until: string): string | null => {
  const [year, month] = from.split('-').map(Number)
  if (year === undefined || month === undefined || !from.endsWith('-01')) return null
  const is = (months: number): boolean => until === firstOf(year, month + months)
  if (is(12) && month === 1) return `in ${year}`
  if (is(3) && month % 3 === 1) return `in Q${(month + 2) / 3} ${year}`
  return is(1) ? `in ${longMonths[month - 1]} ${year}` : null
}

const day = (iso: string): string => formatPeriod(iso, 'day') ?? iso
