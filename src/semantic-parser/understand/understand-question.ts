import { DateTime } from 'luxon'
import type { UnderstandQuestion } from '../../core/understanding.ts'
import { classifyRequest } from './classify-request.ts'
import { findPeriods } from './find-periods.ts'

/**
 * Reads a question without any model: what kind of request it is, and which days its periods mean on the asker's
 * calendar. A time zone that does not exist counts as UTC.
 */
export const understandQuestion: UnderstandQuestion = (text, clock) => {
  const zoned = DateTime.fromJSDate(clock.now(), { zone: clock.timeZone })
  const now = zoned.isValid ? zoned : DateTime.fromJSDate(clock.now(), { zone: 'utc' })
  const today = now.startOf('day')
  const trimmed = text.replace(/\s+/g, ' ').trim()
  const kind = classifyRequest(trimmed)
  return {
    kind,
    text: trimmed,
    spans: kind === 'data' ? findPeriods(trimmed, today) : [],
    today: today.toISODate() ?? '',
    timeZone: zoned.isValid ? clock.timeZone : 'UTC',
  }
}
