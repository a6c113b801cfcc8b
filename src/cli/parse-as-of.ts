import { DateTime } from 'luxon'
import { QuerentError } from '../core/errors.ts'

/**
 * What `--as-of` means: a moment, or a whole day, which is then taken at its end, because a day that is "now" has
 * happened. Without it: the moment of the command.
 */
export const parseAsOf = (text: string | undefined, timeZone: string, now: Date): Date => {
  if (text === undefined) return now
  const parsed = DateTime.fromISO(text, { zone: timeZone })
  if (!parsed.isValid) {
    throw new QuerentError(
      'bad-arguments',
      `--as-of is not a day or a moment: “${text}”; write 2026-03-31 or 2026-03-31T09:00`,
    )
  }
  return (/^\d{4}-\d{2}-\d{2}$/.test(text) ? parsed.endOf('day') : parsed).toJSDate()
}
