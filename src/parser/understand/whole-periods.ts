import { DateTime } from 'luxon'
import type { TimeSpan } from '../../domain/question-context.ts'

/** "Last 12 months", "the past year": so much time that ends with today. */
const rollingPattern =
  /^(?:the )?(?:(?:last|past|previous|prior|trailing) \w+ (?:\w+ )?(?:day|week|month|quarter|year)s?|past (?:day|week|month|quarter|year))$/i

/**
 * The first day of a series over a period. One of so much time up to today begins with a whole period of its unit, or its
 * first value would be of a few days: the last 12 months by month are 12 months, and the twelfth is the one that is
 * running. A length that is no number of such periods begins with the period that its first day is in.
 */
export const firstDayOfSeries = (
  { phrase, from, until }: Pick<TimeSpan, 'phrase' | 'from' | 'until'>,
  unit: 'day' | 'week' | 'month' | 'quarter' | 'year',
  today: string,
): string | null => {
  if (from === null || until === null || !rollingPattern.test(phrase)) return from
  const [start, end] = [from, until].map(day => DateTime.fromISO(day, { zone: 'utc' })) as [
    DateTime,
    DateTime,
  ]
  const last = end.minus({ days: 1 })
  // Days to come, or of an answer from another day.
  if (last.toISODate() !== today) return from
  const count = Math.round(end.diff(start, unit).as(unit))
  const isWholeNumber = count > 0 && end.minus({ [unit]: count }).equals(start)
  const first = isWholeNumber ? last.startOf(unit).minus({ [unit]: count - 1 }) : start.startOf(unit)
  return first.toISODate()
}
