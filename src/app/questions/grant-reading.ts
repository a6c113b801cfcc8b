import type { AccountUsage, QueryUsage } from '../../core/reading-ledger.ts'
import type { SqlError } from '../../core/sql-error.ts'
import {
  type QueryQuota,
  type QuotaClock,
  quotaReservedError,
  quotaTimeoutError,
  requireQuota,
} from './hold-reading.ts'

/**
 * What a statement may read. `granted`: so much, and what is to be said when it is ended by its time, where a limit made
 * that less than was asked for. `waits`: other statements hold what it needs; `otherwise` is said when they go on doing so.
 */
export type QuotaGrant =
  | {
      readonly status: 'granted'
      readonly reading: QueryUsage
      readonly tooShort: SqlError | null
    }
  | { readonly status: 'waits'; readonly otherwise: SqlError }

/**
 * Says what a statement may read that would read at most `most`. All of it where it fits. Else it waits for what other
 * statements hold, of which they mostly give much back; `isPatient`: also where a part of it is free. Else it gets what
 * is left. Throws an `SqlError` of the class `over-budget` where what is booked reaches a limit.
 */
export const grantQuota = (
  most: QueryUsage,
  standing: AccountUsage,
  {
    limits,
    isPatient,
    ...days
  }: QuotaClock & { readonly limits: readonly QueryQuota[]; readonly isPatient: boolean },
): QuotaGrant => {
  requireQuota(standing, limits, days)
  const [rows, milliseconds] = [
    leastRemaining('rows', most, standing, limits),
    leastRemaining('milliseconds', most, standing, limits),
  ]
  for (const { left, limit, isHeld } of [rows, milliseconds])
    if (limit !== null && isHeld && (isPatient || left <= 0))
      return { status: 'waits', otherwise: quotaReservedError(limit) }
  return {
    status: 'granted',
    reading: { rows: rows.left, milliseconds: milliseconds.left },
    tooShort:
      milliseconds.limit === null ? null : quotaTimeoutError(milliseconds.left, milliseconds.limit, days),
  }
}

/** What may be read in one unit, and the limit that makes it less than was asked for; null where none does. */
interface Remaining {
  readonly left: number
  readonly limit: QueryQuota | null
  /** Whether it would be more without the reservations of others. */
  readonly isHeld: boolean
}

const leastRemaining = (
  unit: keyof QueryUsage,
  most: QueryUsage,
  standing: AccountUsage,
  limits: readonly QueryQuota[],
): Remaining => {
  let least: Remaining = { left: most[unit], limit: null, isHeld: false }
  for (const limit of limits) {
    if (limit.unit !== unit) continue
    const { booked, reserved } = standing[limit.of]
    const left = Math.floor(limit.most - booked[unit] - reserved[unit])
    if (left < least.left) least = { left, limit, isHeld: reserved[unit] > 0 }
  }
  return least
}
