import type { Catalog } from '../../src/core/catalog.ts'
import type { LinkedSchema } from '../../src/core/linked-schema.ts'

/** How many columns of a catalog a linked schema shows; with null, how many there are. */
export const countColumns = (linked: LinkedSchema | null, { tables }: Pick<Catalog, 'tables'>): number => {
  if (linked === null) return tables.reduce((sum, table) => sum + table.columns.length, 0)
  return linked.tables.reduce((sum, { table: name, keep }) => {
    if (keep !== 'all') return sum + keep.length
    const table = tables.find(table => table.name === name || `${table.schema}.${table.name}` === name)
    return sum + (table?.columns.length ?? 0)
  }, 0)
}
