import type { Catalog, Table } from '../../core/catalog.ts'

/**
 * How keys and value matches call each table: by its plain name, or `schema.name` where a table that comes earlier
 * has the plain name already.
 */
export const nameTables = (catalog: Pick<Catalog, 'tables'>): ReadonlyMap<Table, string> => {
  const taken = new Set<string>()
  const names = new Map<Table, string>()
  for (const table of catalog.tables) {
    const name = taken.has(table.name) && table.schema !== null ? `${table.schema}.${table.name}` : table.name
    taken.add(table.name)
    names.set(table, name)
  }
  return names
}
