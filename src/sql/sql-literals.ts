import type { ParseDialect } from '../core/dialect.ts'
import { parseSqlCached } from './read-sql.ts'
import { type ColumnReference, resolveColumn } from './resolve-column.ts'
import { sqlScopes } from './sql-scopes.ts'

/** A literal of a statement. `column` is what it is compared to, null where that does not stand beside it. */
export interface SqlLiteral {
  /** Text without its quotes; numbers as written, with their sign. */
  readonly value: string
  readonly kind: 'text' | 'number'
  readonly column: ColumnReference | null
  /** SQLite's `"x"`: text only if there is no such column. */
  readonly mayBeColumn: boolean
}

/** Every text and number literal, LIMIT included, in the order of the scopes. Null when it cannot be parsed. */
export const sqlLiterals = (sql: string, dialect: ParseDialect): readonly SqlLiteral[] | null => {
  const parsed = parseSqlCached(sql, dialect)
  if (!parsed.ok) return null
  return sqlScopes(parsed.tree).flatMap(scope =>
    scope.literals.map(({ value, kind, comparedTo, mayBeColumn }) => ({
      value,
      kind,
      column: comparedTo === null ? null : (resolveColumn(comparedTo, scope)[0] ?? null),
      mayBeColumn,
    })),
  )
}
