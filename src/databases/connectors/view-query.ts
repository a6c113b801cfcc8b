import type { Dialect } from '../../core/dialect.ts'
import { sqlTokens } from '../../sql/sql-tokens.ts'

/** The query in `CREATE VIEW name (columns) AS query`; null when the text is nothing of the kind. */
export const viewDefinition = (statement: string, dialect: Dialect): string | null => {
  const cut = sqlTokens(statement, dialect)
  if (!cut.ok || cut.tokens[0]?.value !== 'create') return null
  const as = cut.tokens.findIndex(token => token.kind === 'word' && token.value === 'as')
  const first = as < 0 ? undefined : cut.tokens[as + 1]
  return first === undefined ? null : statement.slice(first.start)
}
