import { DateTime } from 'luxon'
import type { ChainLink } from '../../core/thread.ts'
import type { EditContext } from '../follow-up/edit-readings.ts'
import type { Frame } from '../frame/frame.ts'
import { formatPeriod } from './period-in-words.ts'

/** A "why" that can be asked of an answer: about its last whole period, or about one of its groups. */
export const suggestWhyQuestion = (
  frame: Frame,
  { askedAt }: Pick<ChainLink, 'askedAt'>,
  { timeZone }: EditContext,
): readonly string[] => {
  const period = frame.groups.find(({ unit }) => unit !== null)
  if (period?.unit) {
    const today = DateTime.fromISO(askedAt, { zone: timeZone }).startOf('day')
    const ends = frame.conditions.flatMap(({ test }) =>
      test.kind === 'period' && test.span.until
        ? [DateTime.fromISO(test.span.until, { zone: timeZone })]
        : [],
    )
    const end = DateTime.min(today, ...ends).startOf(period.unit)
    const from = end.minus({ [`${period.unit}s`]: 1 }).toISODate()
    const until = end.toISODate()
    // A week is called by its days, which is no way to ask.
    return from && until && period.unit !== 'week' ? [`why is ${formatPeriod({ from, until })} low?`] : []
  }
  const value = frame.groups[0]?.column.column.profile?.mostFrequent[0]?.value
  return typeof value === 'string' && value !== '' ? [`why is ${value} high?`] : []
}
