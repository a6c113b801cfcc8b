import { type Catalog, nameTables, type Table } from '../../../src/domain/catalog.ts'
import type { LinkedSchema } from '../../../src/domain/question-context.ts'
import type { MacSqlSettings } from '../../../src/domain/strategies/mac-sql.ts'
import type { AgentReplyOf } from '../../../src/domain/strategies/strategy.ts'

/** Whether a schema is large enough to be cut (section 3.2): columns a table on average, or columns in all. */
export const isLargeSchema = (
  { tables }: Pick<Catalog, 'tables'>,
  { columnsPerTable, columnsInAll }: Pick<MacSqlSettings, 'columnsPerTable' | 'columnsInAll'>,
): boolean => {
  const columns = tables.reduce((sum, table) => sum + table.columns.length, 0)
  return columns > columnsInAll || columns > columnsPerTable * tables.length
}

/**
 * The part of a schema that a selector's reply keeps: whole tables, or the columns that it named with the keys of the
 * table. Where it kept fewer tables than it had to, the nearest of the others are added; where it kept none, nothing is
 * cut.
 */
export const applySelection = (
  selected: AgentReplyOf<'mac-sql-selection'>['tables'],
  given: Pick<MacSqlSettings, 'keptColumns' | 'keptTables'> & {
    readonly whole: LinkedSchema
    readonly catalog: Catalog
    /** Tables nearest to the question come first. */
    readonly linked: LinkedSchema
  },
): LinkedSchema => {
  const { whole, catalog, linked, keptColumns, keptTables } = given
  const choices = new Map(selected.map(one => [one.table.toLowerCase(), one]))
  const tables = new Map([...nameTables(catalog)].map(([table, name]) => [name, table]))
  const kept = whole.tables.flatMap(shown => {
    const choice = choices.get(shown.table.toLowerCase())
    if (choice === undefined || choice.keep === 'drop_all') return []
    const table = tables.get(shown.table)
    if (choice.keep === 'keep_all' || table === undefined) return [shown]
    const columns = pickColumns(choice.columns, { table, name: shown.table }, catalog, keptColumns)
    return columns.length === 0 ? [shown] : [{ table: shown.table, keep: columns }]
  })
  if (kept.length === 0) return whole
  const missing = Math.max(0, Math.min(keptTables, whole.tables.length) - kept.length)
  const order = [...linked.tables, ...whole.tables].map(({ table }) => table)
  const added = [...new Set(order)]
    .filter(name => !kept.some(({ table }) => table === name))
    .slice(0, missing)
    .flatMap(name => whole.tables.find(({ table }) => table === name) ?? [])
  return { tables: [...kept, ...added] }
}

/** The named columns that exist, up to a number, and the keys that the table is joined by. */
const pickColumns = (
  named: readonly string[],
  { table, name: known }: { readonly table: Table; readonly name: string },
  { foreignKeys }: Pick<Catalog, 'foreignKeys'>,
  most: number,
): readonly string[] => {
  const wanted = new Set(named.map(name => name.toLowerCase()))
  const order = new Map(named.map((name, at) => [name.toLowerCase(), at]))
  const found = table.columns
    .map(({ name }) => name)
    .filter(name => wanted.has(name.toLowerCase()))
    .toSorted((a, b) => (order.get(a.toLowerCase()) ?? 0) - (order.get(b.toLowerCase()) ?? 0))
    .slice(0, most)
  if (found.length === 0) return []
  const keys = foreignKeys.flatMap(({ from, to }) => [
    ...(from.table === known ? from.columns : []),
    ...(to.table === known ? to.columns : []),
  ])
  return [...new Set([...found, ...table.primaryKey, ...keys])]
}
