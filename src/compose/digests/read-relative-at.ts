import type { ReadRelativeSql } from '../../app/digests/digest-deps.ts'
import type { DaysOfPhrase } from '../../digests/days-of-phrase.ts'
import { readRelative } from '../../digests/read-relative.ts'

/** Finds the relative periods of an answer; the day of `now` stands in where it is not known what was understood. */
export const readRelativeAt =
  (now: () => Date, daysOf: DaysOfPhrase): ReadRelativeSql =>
  ({ sql, dialect, understanding }) =>
    readRelative(
      {
        ...{ sql, dialect },
        today: understanding?.today ?? now().toISOString().slice(0, 10),
        periods: understanding?.spans ?? [],
      },
      daysOf,
    )
