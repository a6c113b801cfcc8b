import type { ParseDialect } from '../core/dialect.ts'
import { parseSqlCached } from './read-sql.ts'
import { type ColumnReference, resolveColumn } from './resolve-column.ts'
import { sqlScopes } from './sql-scopes.ts'
import { unaccountedToken } from './unread-token.ts'

/** A table that is really read, as it is named in the text. */
export interface TableReference {
  /** The database or catalog before the schema, where the text names it. */
  readonly catalog: string | null
  readonly schema: string | null
  readonly name: string
}

export interface SqlReferences {
  readonly tables: readonly TableReference[]
  /** `column` is `*` where all columns of a table are read, be it by a star or by naming the row. */
  readonly columns: readonly ColumnReference[]
}

/**
 * The tables and columns that a statement reads, resolved through CTEs, aliases and subqueries, each once, in the
 * order of the text. Null when it cannot be parsed to the last word.
 */
export const sqlReferences = (sql: string, dialect: ParseDialect): SqlReferences | null => {
  const parsed = parseSqlCached(sql, dialect)
  if (!parsed.ok || unaccountedToken(parsed.tree) !== null) return null
  const tables = new Map<string, TableReference>()
  const columns = new Map<string, ColumnReference>()
  for (const scope of sqlScopes(parsed.tree)) {
    for (const { kind, catalog, schema, name } of scope.sources)
      if (kind === 'table' && name !== null) keep(tables, [catalog, schema, name], { catalog, schema, name })
    for (const use of scope.columns)
      for (const column of resolveColumn(use, scope))
        keep(columns, [column.table, column.column, column.mayBeText ? '"' : ''], column)
  }
  return { tables: [...tables.values()], columns: [...columns.values()] }
}

const keep = <T>(map: Map<string, T>, parts: readonly (string | null)[], value: T): void => {
  const key = JSON.stringify(parts).toLowerCase()
  if (!map.has(key)) map.set(key, value)
}
