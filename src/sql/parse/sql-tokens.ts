import type { ParseDialect } from '../../domain/sql.ts'
import { dialectNamed } from '../dialects.ts'
import type { LexicalRules } from '../sql-dialect.ts'
import { cutTokens, type SqlTokens } from './cut-tokens.ts'

export { openQuote, type SqlComment, type SqlToken, type SqlTokens } from './cut-tokens.ts'

/** Cuts text into tokens as a dialect does, or by other `rules`. */
export const sqlTokens = (
  sql: string,
  dialect: ParseDialect,
  rules: LexicalRules = dialectNamed(dialect).lexical,
): SqlTokens => cutTokens(sql, rules)
