import type { DataRights } from '../../../domain/access/data-rights.ts'
import type { Catalog, Table } from '../../../domain/catalog.ts'
import { unrestrictedScope } from '../../../domain/database.ts'
import { sqlReferences } from '../../../sql/analyze/sql-scopes.ts'
import { inheritingTables } from '../scope/copied-columns.ts'
import { foldName } from '../scope/name-lookup.ts'
import { scopedDatabase } from '../scope/scoped-database.ts'
import { matchesTable } from '../scope/scoped-tables.ts'

/** What a table keeps from a person: some rows, some values, or both. */
export interface KeptFromPerson {
  readonly rows: boolean
  readonly values: boolean
}

/**
 * The tables and views that show what is kept of others, directly or through others. What nobody can tell may show
 * everything. A table is open all the same if the group lists it by its full name, or if rules of its own cover what it
 * may show: a row rule for rows, a mask that names it for values. A mask with a pattern for its table covers nothing: the
 * view may give the column another name.
 */
export const closedTables = (
  catalog: Catalog,
  rights: DataRights,
  kept: ReadonlyMap<Table, KeptFromPerson>,
): ReadonlySet<Table> => {
  const closed = new Set<Table>()
  if (kept.size === 0) return closed
  const { dialect, tables } = catalog
  const covers = (pattern: string, table: Table): boolean =>
    !pattern.includes('*') && matchesTable(pattern, table, dialect)
  const isListed = (table: Table): boolean =>
    rights.scope.tables.include.some(pattern => covers(pattern, table))
  const coversRows = (table: Table): boolean =>
    rights.rowRules.some(rule => matchesTable(rule.table, table, dialect))
  const coversValues = (table: Table): boolean =>
    rights.columnMasks.some(({ column }) => covers(column.slice(0, column.lastIndexOf('.')), table))
  const everything = {
    rows: [...kept.values()].some(({ rows }) => rows),
    values: [...kept.values()].some(({ values }) => values),
  }
  const byName = Map.groupBy(tables, ({ name }) => foldName(name, dialect))
  // Functions of the database, and names that cannot be followed, may read any table.
  const plain = scopedDatabase(catalog, unrestrictedScope, { restricts: true })
  const inheritances = inheritingTables(catalog)

  /** The tables that a view reads; null if nobody can tell. */
  const readBy = (table: Table): readonly Table[] | null => {
    const references = table.definition === undefined ? null : sqlReferences(table.definition, dialect)
    if (references === null || !plain.isOpen(table)) return null
    return references.tables
      .flatMap(({ name }) => byName.get(foldName(name, dialect)) ?? [])
      .filter(one => one !== table)
  }
  const derived = tables
    .filter(table => (table.type === 'view' || table.definition !== undefined) && !isListed(table))
    .map(table => ({ table, sources: readBy(table), rows: coversRows(table), values: coversValues(table) }))
  const showsKept = ({ sources, rows, values }: (typeof derived)[number]): boolean =>
    (sources === null ? [everything] : sources.map(one => kept.get(one))).some(
      one => one !== undefined && ((one.rows && !rows) || (one.values && !values)),
    ) || (sources ?? []).some(one => closed.has(one))
  // Masks of one are masks of the other too.
  const showsRowsOf = (table: Table, relative: Table): boolean =>
    closed.has(relative) || (kept.get(relative)?.rows === true && !coversRows(table))

  for (let before = -1; before < closed.size; ) {
    before = closed.size
    for (const one of derived) if (showsKept(one)) closed.add(one.table)
    for (const { child, parent } of inheritances) {
      if (showsRowsOf(child, parent) && !isListed(child)) closed.add(child)
      if (showsRowsOf(parent, child) && !isListed(parent)) closed.add(parent)
    }
  }
  return closed
}
