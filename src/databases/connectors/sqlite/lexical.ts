import type { LexicalRules } from '../../../sql/sql-dialect.ts'
import { standardTokens } from '../standard-sql.ts'

/** How SQLite cuts a statement into tokens; after "SQL keywords" in its documentation and tokenize.c. */
export const lexical: LexicalRules = {
  ...standardTokens,
  nameQuotes: { '"': '"', '`': '`', '[': ']' },
  stringPrefixes: ['x'],
  parameterSigns: '?:@$',
}
