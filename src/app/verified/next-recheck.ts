import type { VerifiedTrial } from '../../core/verified-recheck.ts'

const HOUR_MS = 60 * 60 * 1000

/** A database that was away is tried again after so long at the latest. */
const UNREACHABLE_RETRY_HOURS = 1

/** When a verified query that ended so at that moment is run again; null for never, because it waits for its owner. */
export const nextRecheck = (
  status: VerifiedTrial['status'] | 'stale',
  at: Date,
  everyHours: number,
): Date | null => {
  switch (status) {
    case 'ran':
    // It will be as heavy in an hour.
    case 'too-heavy':
      return new Date(at.getTime() + everyHours * HOUR_MS)
    case 'unreachable':
      return new Date(at.getTime() + Math.min(everyHours, UNREACHABLE_RETRY_HOURS) * HOUR_MS)
    case 'broken':
    case 'stale':
      return null
    default: {
      const never: never = status
      return never
    }
  }
}
