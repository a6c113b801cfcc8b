import type { Dialect } from '../../../src/core/dialect.ts'
import { aggregateNames } from '../../../src/sql/query-tree/aggregate-names.ts'
import { sqlTokens } from '../../../src/sql/sql-tokens.ts'

/**
 * Whether a statement puts rows together anywhere: aggregates, groups, or lists what differs. What it says of some rows
 * that happen to be the newest says nothing of the question. True of a text that cannot be read.
 */
export const aggregatesRows = (sql: string, dialect: Dialect): boolean => {
  const read = sqlTokens(sql, dialect)
  if (!read.ok) return true
  return read.tokens.some(({ kind, value }, i) => {
    const next = read.tokens[i + 1]?.value
    if (kind !== 'word') return false
    return (
      value === 'distinct' ||
      (value === 'group' && next === 'by') ||
      (next === '(' && aggregateNames.has(value))
    )
  })
}
