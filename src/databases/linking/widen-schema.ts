import type { LinkedSchema, RequestedName, WidenSchema } from '../../core/linked-schema.ts'
import {
  type CatalogDescription,
  describeCatalog,
  type LinkerColumn,
  type LinkerTable,
} from './describe-catalog.ts'
import { joinTables } from './join-tables.ts'
import { toLinkedSchema } from './keep-columns.ts'

/**
 * Opens a linked schema again for names that a draft used and that were dropped (ReCAP 3.3: its schema linker is
 * called when a column is not found). A table that is named comes back whole; a column that is named comes back where
 * its table is kept, else from every table that has it, up to three; and what joins them to the rest comes too.
 */
export const widenSchema: WidenSchema = ({ catalog, linked, wanted }) => {
  const description = describeCatalog(catalog)
  const kept = columnsOf(description, linked)
  const tables = new Set([...kept].map(({ table }) => table))
  const added = new Set(
    wanted.flatMap(name => findMeantColumns(name, description, tables)).filter(one => !kept.has(one)),
  )
  if (added.size === 0) return linked
  const touched = new Set([...added].map(({ table }) => table))
  const { keys } = joinTables([...tables, ...touched], () => 0.5)
  // Keys among what was kept before were left out on purpose; those on the way to what is new are needed.
  const between = keys.filter(({ table }) => touched.has(table) || !tables.has(table))
  const farEnds = between
    .flatMap(({ leadsTo, ledToBy }) => [...leadsTo, ...ledToBy])
    .filter(key => keys.includes(key))
  return toLinkedSchema([...kept, ...added, ...between, ...farEnds])
}

/** A bare column that more tables than this have is no reason to show them all. */
const maxOwningTables = 3

const findMeantColumns = (
  { table: tableName, column }: RequestedName,
  { tables }: CatalogDescription,
  kept: ReadonlySet<LinkerTable>,
): readonly LinkerColumn[] => {
  const named =
    tableName === null
      ? null
      : tables.filter(({ name, table }) => same(table.name, tableName) || same(name, tableName))
  if (column === null) return named?.flatMap(({ columns }) => columns) ?? []
  const owners = (named ?? tables).flatMap(table =>
    table.columns.filter(known => same(known.column.name, column)),
  )
  const near = owners.filter(({ table }) => kept.has(table))
  if (near.length > 0) return near
  return owners.length <= maxOwningTables ? owners : []
}

const columnsOf = ({ byTableName }: CatalogDescription, linked: LinkedSchema): ReadonlySet<LinkerColumn> =>
  new Set(
    linked.tables.flatMap(({ table, keep }) => {
      const columns = byTableName.get(table)?.columns ?? []
      return keep === 'all' ? columns : columns.filter(({ column }) => keep.includes(column.name))
    }),
  )

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
