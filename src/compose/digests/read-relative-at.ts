import type { ReadRelativeSql } from '../../app/digests/digest-deps.ts'
import type { FindPhraseDays } from '../../digests/days-of-phrase.ts'
import { parseRelativeSql } from '../../digests/read-relative.ts'

/** Finds the relative periods of an answer; the day of `now` stands in where it is not known what was understood. */
export const makeReadRelativeSql =
  (now: () => Date, daysOf: FindPhraseDays): ReadRelativeSql =>
  ({ sql, dialect, understanding }) =>
    parseRelativeSql(
      {
        ...{ sql, dialect },
        today: understanding?.today ?? now().toISOString().slice(0, 10),
        periods: understanding?.spans ?? [],
      },
      daysOf,
    )
