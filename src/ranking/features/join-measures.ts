import type { Catalog } from '../../domain/catalog.ts'
import type { CandidateFacts, CandidateMeasure } from './candidate-measures.ts'

const flag = (yes: boolean): number => (yes ? 1 : 0)

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

/** Whether one of the tables that are read points at `parent`, so that joining it repeats the rows of `parent`. */
const hasChild = (catalog: Catalog, parent: string, tables: readonly string[]): boolean =>
  catalog.foreignKeys.some(
    ({ from, to }) =>
      same(to.table, parent) &&
      !same(from.table, parent) &&
      tables.some(table => same(table, from.table)) &&
      !isKeyOf(catalog, from.table, from.columns),
  )

/** One row at most for each value: a key of the table itself. */
const isKeyOf = (catalog: Catalog, table: string, columns: readonly string[]): boolean => {
  const key = catalog.tables.find(({ name }) => same(name, table))?.primaryKey ?? []
  return key.length > 0 && key.every(part => columns.some(column => same(column, part)))
}

/** The tables of a column, where it is named without one. */
const ownersOf = (catalog: Catalog, column: string, tables: readonly string[]): readonly string[] =>
  catalog.tables
    .filter(
      ({ name, columns }) =>
        tables.some(table => same(table, name)) && columns.some(one => same(one.name, column)),
    )
    .map(({ name }) => name)

/** The tables that the shown columns belong to, whether aggregated or plain. */
const shownTables = (
  { shape, catalog }: CandidateFacts,
  wanted: (aggregate: string | null) => boolean,
): readonly string[] =>
  (shape?.items ?? [])
    .filter(({ aggregate, distinct }) => wanted(aggregate) && !distinct)
    .flatMap(({ column, table }) => {
      if (column === null) return []
      const owners = table === null ? ownersOf(catalog, column, shape?.tables ?? []) : [table]
      return owners.length === 1 ? owners : []
    })

/** What joins do to rows: evidence from the keys of the catalog. */
export const joinMeasures: readonly CandidateMeasure[] = [
  {
    // An average of the parents' column then counts a parent once for each child.
    name: 'join-fan-out-aggregate',
    reason: 'it averages or adds up rows that a join has repeated',
    measure: facts =>
      flag(
        (facts.shape?.sources ?? 0) > 1 &&
          shownTables(facts, aggregate => aggregate === 'avg' || aggregate === 'sum').some(table =>
            hasChild(facts.catalog, table, facts.shape?.tables ?? []),
          ),
      ),
  },
  {
    name: 'join-fan-out-list',
    reason: 'it lists the same thing again for each row that a join adds',
    measure: facts => {
      const shown = new Set(shownTables(facts, aggregate => aggregate === null))
      return flag(
        facts.shape !== null &&
          facts.shape.sources > 1 &&
          facts.shape.groupBy.length === 0 &&
          !facts.shape.distinct &&
          facts.distinctRows < facts.table.rows.length &&
          [...shown].some(table => hasChild(facts.catalog, table, facts.shape?.tables ?? [])),
      )
    },
  },
  {
    // Tables that no key joins are seldom meant to be joined.
    name: 'join-off-keys',
    reason: 'it joins tables that no key connects',
    measure: ({ shape, catalog }) => {
      const tables = shape?.tables ?? []
      return tables.filter(
        table =>
          tables.length > 1 &&
          !catalog.foreignKeys.some(
            ({ from, to }) =>
              (same(from.table, table) && tables.some(other => same(other, to.table))) ||
              (same(to.table, table) && tables.some(other => same(other, from.table))),
          ),
      ).length
    },
  },
  {
    name: 'table-unused',
    reason: 'it reads a table of which it needs nothing but the key',
    measure: ({ references, shape, catalog }) =>
      (shape?.sources ?? 0) < 2
        ? 0
        : (references?.tables ?? []).filter(({ name }) => {
            const used = (references?.columns ?? []).filter(
              ({ table }) => table !== null && same(table, name),
            )
            return used.length > 0 && used.every(({ column }) => isInKey(catalog, name, column))
          }).length,
  },
]

const isInKey = (catalog: Catalog, table: string, column: string): boolean =>
  catalog.foreignKeys.some(
    ({ from, to }) =>
      (same(from.table, table) && from.columns.some(one => same(one, column))) ||
      (same(to.table, table) && to.columns.some(one => same(one, column))),
  )
