import type { LexicalRules } from '../../../sql/sql-dialect.ts'
import { standardTokens } from '../standard-sql.ts'

/** How DuckDB cuts a statement into tokens. */
export const lexical: LexicalRules = {
  ...standardTokens,
  stringPrefixes: ['e', 'x'],
  dollarQuotes: true,
  nestedComments: true,
  parameterSigns: '?$',
}
