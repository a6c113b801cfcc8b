import type { Catalog } from '../../core/catalog.ts'
import type { LinkedTable } from '../../core/linked-schema.ts'
import type { TableScore } from './score-columns.ts'

/** Tables with this many columns or fewer are kept whole (MAC-SQL's bound for keep_all). */
const mostColumnsKeptWhole = 10

/** What is kept of a wider table at least. */
const leastColumns = 8

/** What is kept of a wider table at most, keys apart. */
const mostColumns = 16

/**
 * What to keep of a chosen table: all of it, or the columns that the question points to, filled up with the first
 * ones; and always its primary key and the columns that join it to the other chosen tables.
 */
export const keepColumns = (
  { name, table, columns }: TableScore,
  catalog: Catalog,
  chosen: ReadonlySet<string>,
): LinkedTable => {
  if (table.columns.length <= mostColumnsKeptWhole) return { table: name, keep: 'all' }
  const keys = catalog.foreignKeys.flatMap(({ from, to }) => {
    if (!chosen.has(from.table) || !chosen.has(to.table)) return []
    return [...(from.table === name ? from.columns : []), ...(to.table === name ? to.columns : [])]
  })
  const pointedTo = [...columns]
    .filter(([, score]) => score > 0)
    .sort((a, b) => b[1] - a[1])
    .slice(0, mostColumns)
    .map(([column]) => column.name)
  const kept = new Set([...table.primaryKey, ...keys, ...pointedTo])
  for (const column of table.columns) {
    if (kept.size >= leastColumns) break
    kept.add(column.name)
  }
  return { table: name, keep: table.columns.map(column => column.name).filter(column => kept.has(column)) }
}
