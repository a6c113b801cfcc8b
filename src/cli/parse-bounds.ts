import { DateTime } from 'luxon'
import { QuerentError } from '../core/errors.ts'

/** A stretch of time: from `since` on, before `until`. */
export interface TimeRange {
  readonly since?: Date
  readonly until?: Date
}

/** What `--since` and `--until` mean: moments, or whole days, of which the last one counts. */
export const parseTimeRange = (
  given: { readonly since?: string; readonly until?: string },
  timeZone: string,
): TimeRange => {
  const since = given.since === undefined ? null : parseTime('--since', given.since, timeZone)
  const until = given.until === undefined ? null : parseTime('--until', given.until, timeZone)
  const end = until?.isDay ? until.moment.plus({ days: 1 }) : until?.moment
  if (since && end && since.moment >= end)
    throw new QuerentError('bad-arguments', '--since is not before --until: nothing can be between them')
  return { ...(since && { since: since.moment.toJSDate() }), ...(end && { until: end.toJSDate() }) }
}

const parseTime = (
  option: string,
  text: string,
  timeZone: string,
): { readonly moment: DateTime; readonly isDay: boolean } => {
  const moment = DateTime.fromISO(text, { zone: timeZone })
  if (moment.isValid) return { moment, isDay: /^\d{4}-\d{2}-\d{2}$/.test(text) }
  throw new QuerentError(
    'bad-arguments',
    `${option} is not a day or a moment: “${text}”; write 2026-03-31 or 2026-03-31T09:00`,
  )
}
