import type { Catalog, Column, Table } from '../../src/domain/catalog.ts'
import type { ColumnUse, QueryScope } from '../../src/sql/analyze/query-scope.ts'
import { resolveColumn, sqlScopes } from '../../src/sql/analyze/sql-scopes.ts'
import { unaccountedToken } from '../../src/sql/analyze/unread-token.ts'
import { parseSql } from '../../src/sql/parse/parse-sql.ts'

/** What of a catalog a statement reads. A table may be read without a column of it: `count(*)`. */
export interface GoldColumns {
  readonly tables: ReadonlySet<Table>
  readonly columns: ReadonlySet<Column>
  /** Columns that only a star in the SELECT list reads; they are among `columns`. */
  readonly starred: number
}

/**
 * The tables and columns of a catalog that a statement reads, join keys included, resolved through aliases, CTEs and
 * subqueries by its tree. `*` in `count(*)` is no column; `select *` reads all columns of its tables. Null if the
 * statement does not parse to its end, or names what the catalog does not have.
 */
export const goldColumns = (sql: string, catalog: Catalog): GoldColumns | null => {
  const parsed = parseSql(sql, catalog.dialect)
  if (!parsed.ok || unaccountedToken(parsed.tree) !== null) return null
  const byName = new Map(catalog.tables.map(table => [table.name.toLowerCase(), table]))
  const tables = new Set<Table>()
  const columns = new Set<Column>()
  const starred = new Set<Column>()
  for (const scope of sqlScopes(parsed.tree)) {
    for (const { kind, name } of scope.sources) {
      if (kind !== 'table' || name === null) continue
      const table = byName.get(name.toLowerCase())
      if (!table) return null
      tables.add(table)
    }
    for (const use of scope.columns) {
      const owners = ownersOf(use, scope, byName)
      if (owners === null) return null
      for (const table of owners) {
        if (use.column === '*') for (const column of table.columns) starred.add(column)
        else columns.add(columnOf(table, use.column)!)
      }
    }
  }
  const named = columns.size
  for (const column of starred) columns.add(column)
  return { tables, columns, starred: columns.size - named }
}

/** Empty where the use is no column of a table (a result, a text in double quotes); null if nobody has it. */
const ownersOf = (
  use: ColumnUse,
  scope: QueryScope,
  byName: ReadonlyMap<string, Table>,
): readonly Table[] | null => {
  const references = resolveColumn(use, scope)
  const owners: Table[] = []
  for (const { table: name, column, mayBeText } of references) {
    if (column !== use.column) continue
    const isBare = use.qualifier === null && column !== '*'
    const table = isBare ? nearestOwner(column, scope, byName) : byName.get((name ?? '').toLowerCase())
    if (table && (column === '*' || columnOf(table, column))) owners.push(table)
    else if (!mayBeText) return null
  }
  return owners
}

/** A bare name belongs to a table of its own SELECT that has it, else to one of the SELECTs around it. */
const nearestOwner = (
  column: string,
  scope: QueryScope,
  byName: ReadonlyMap<string, Table>,
): Table | undefined => {
  for (let at: QueryScope | null = scope; at !== null; at = at.parent)
    for (const { kind, name } of at.sources) {
      const table = kind === 'table' && name !== null ? byName.get(name.toLowerCase()) : undefined
      if (table && columnOf(table, column)) return table
    }
  return undefined
}

const columnOf = (table: Table, name: string): Column | undefined =>
  table.columns.find(column => column.name.toLowerCase() === name.toLowerCase())
