import type { ParseDialect } from '../core/dialect.ts'
import type { RelativeSql } from '../core/digest.ts'
import type { FindPhraseDays } from './days-of-phrase.ts'
import { parseRelativeSql } from './read-relative.ts'

/**
 * The same periods in another text of a statement, which was written for the same day; null where one of them is not in
 * it as often as it was.
 */
export const rebindPeriods = (
  before: RelativeSql,
  sql: string,
  dialect: ParseDialect,
  daysOf: FindPhraseDays,
): RelativeSql | null => {
  const { today } = before
  const periods = before.periods.flatMap(({ phrase }) => {
    const days = daysOf(phrase, today)
    return days ? [{ phrase, ...days }] : []
  })
  const { statement } = parseRelativeSql({ sql, dialect, today, periods }, daysOf)
  const isSame = before.periods.every(
    ({ phrase, bounds }) =>
      statement.periods.find(period => period.phrase === phrase)?.bounds.length === bounds.length,
  )
  return isSame ? statement : null
}
