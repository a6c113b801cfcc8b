import type { Catalog, Column, ForeignKey, Table } from '../../core/catalog.ts'
import type { LinkedSchema } from '../../core/linked-schema.ts'
import { shuffle } from '../../lib/shuffle.ts'
import { nameTables } from './name-tables.ts'

/** A table as a prompt shows it. `name` is how keys and matches call it. */
export interface PickedTable {
  readonly name: string
  readonly table: Table
  readonly columns: readonly Column[]
}

/** What a rendering is made of: the linked tables and columns, and the keys whose columns are all among them. */
export interface PickedSchema {
  readonly tables: readonly PickedTable[]
  readonly foreignKeys: readonly ForeignKey[]
}

/** Takes the linked part out of a catalog, in the catalog's order, or with tables and columns shuffled by a seed. */
export const pickLinkedSchema = (catalog: Catalog, linked: LinkedSchema, seed?: number): PickedSchema => {
  const keep = new Map(linked.tables.map(({ table, keep }) => [table, keep]))
  const names = nameTables(catalog)
  const order = <Item>(items: readonly Item[], salt: number): readonly Item[] =>
    seed === undefined ? items : shuffle(items, seed * 1009 + salt)
  const tables = catalog.tables.flatMap((table, index) => {
    const name = names.get(table) ?? table.name
    const kept = keep.get(name)
    if (kept === undefined) return []
    const columns =
      kept === 'all' ? table.columns : table.columns.filter(column => kept.includes(column.name))
    return [{ name, table, columns: order(columns, index + 1) }]
  })
  const shown = new Map(
    tables.map(({ name, columns }) => [name, new Set(columns.map(column => column.name))]),
  )
  const isShown = ({ table, columns }: ForeignKey['from']): boolean =>
    columns.every(column => shown.get(table)?.has(column) ?? false)
  return {
    tables: order(tables, 0),
    foreignKeys: catalog.foreignKeys.filter(key => isShown(key.from) && isShown(key.to)),
  }
}
