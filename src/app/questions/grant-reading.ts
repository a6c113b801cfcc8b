import type { AccountStanding, Reading } from '../../core/reading-ledger.ts'
import type { SqlError } from '../../core/sql-error.ts'
import { allReserved, type Days, endedAt, holdReading, type ReadingLimit } from './hold-reading.ts'

/**
 * What a statement may read. `granted`: so much, and what is to be said when it is ended by its time, where a limit made
 * that less than was asked for. `waits`: other statements hold what it needs; `otherwise` is said when they go on doing so.
 */
export type ReadingGrant =
  | {
      readonly status: 'granted'
      readonly reading: Reading
      readonly tooShort: SqlError | null
    }
  | { readonly status: 'waits'; readonly otherwise: SqlError }

/**
 * Says what a statement may read that would read at most `most`. All of it where it fits. Else it waits for what other
 * statements hold, of which they mostly give much back; `isPatient`: also where a part of it is free. Else it gets what
 * is left. Throws an `SqlError` of the class `over-budget` where what is booked reaches a limit.
 */
export const grantReading = (
  most: Reading,
  standing: AccountStanding,
  {
    limits,
    isPatient,
    ...days
  }: Days & { readonly limits: readonly ReadingLimit[]; readonly isPatient: boolean },
): ReadingGrant => {
  holdReading(standing, limits, days)
  const [rows, milliseconds] = [
    leastLeft('rows', most, standing, limits),
    leastLeft('milliseconds', most, standing, limits),
  ]
  for (const { left, limit, isHeld } of [rows, milliseconds])
    if (limit !== null && isHeld && (isPatient || left <= 0))
      return { status: 'waits', otherwise: allReserved(limit) }
  return {
    status: 'granted',
    reading: { rows: rows.left, milliseconds: milliseconds.left },
    tooShort: milliseconds.limit === null ? null : endedAt(milliseconds.left, milliseconds.limit, days),
  }
}

/** What may be read in one unit, and the limit that makes it less than was asked for; null where none does. */
interface Left {
  readonly left: number
  readonly limit: ReadingLimit | null
  /** Whether it would be more without the reservations of others. */
  readonly isHeld: boolean
}

const leastLeft = (
  unit: keyof Reading,
  most: Reading,
  standing: AccountStanding,
  limits: readonly ReadingLimit[],
): Left => {
  let least: Left = { left: most[unit], limit: null, isHeld: false }
  for (const limit of limits) {
    if (limit.unit !== unit) continue
    const { booked, reserved } = standing[limit.of]
    const left = Math.floor(limit.most - booked[unit] - reserved[unit])
    if (left < least.left) least = { left, limit, isHeld: reserved[unit] > 0 }
  }
  return least
}
