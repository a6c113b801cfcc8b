import type { ParseDialect } from '../../domain/sql.ts'
import { type SqlToken, sqlTokens } from '../parse/sql-tokens.ts'

/**
 * A key that is equal for statements that differ only in white space, comments and closing semicolons. Text that cannot
 * be cut into tokens is its own key.
 */
export const statementKey = (sql: string, dialect: ParseDialect): string => {
  const read = sqlTokens(sql, dialect)
  if (!read.ok) return sql.trim()
  const last = read.tokens.findLastIndex(({ text }) => text !== ';')
  return read.tokens
    .slice(0, last + 1)
    .map((token, at, all) => separator(all[at - 1], token, sql) + token.text)
    .join('')
}

/** What stands before a token. Strings on two lines are one string in some dialects, on one line they are two. */
const separator = (before: SqlToken | undefined, token: SqlToken, sql: string): string => {
  if (before === undefined || before.end === token.start) return ''
  const isSplitString = before.kind === 'string' && token.kind === 'string'
  return isSplitString && sql.slice(before.end, token.start).includes('\n') ? '\n' : ' '
}
