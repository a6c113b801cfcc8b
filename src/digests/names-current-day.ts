import type { ParseDialect } from '../core/dialect.ts'
import { sqlTokens } from '../sql/sql-tokens.ts'

const currentDateWords = new Set([
  'current_date',
  'current_timestamp',
  'localtimestamp',
  'now',
  'curdate',
  'getdate',
  'today',
  'sysdate',
  'statement_timestamp',
  'transaction_timestamp',
])

/** Whether a statement asks the database what day it is, and so moves with the clock by itself. */
export const usesCurrentDate = (sql: string, dialect: ParseDialect): boolean => {
  const cut = sqlTokens(sql, dialect)
  return (
    cut.ok &&
    cut.tokens.some(({ kind, value }) =>
      kind === 'word' ? currentDateWords.has(value) : kind === 'string' && value.toLowerCase() === 'now',
    )
  )
}
