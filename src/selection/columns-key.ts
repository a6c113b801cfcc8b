import { createHash } from 'node:crypto'
import type { ResultTable } from '../core/result.ts'
import { canonicalCell } from './canonical-cell.ts'

/**
 * A hash that two results share when they hold the same set of rows with the columns in the same order: what tells
 * the members of one execution group apart. Row order and repeated rows do not count.
 */
export const columnsKey = (table: ResultTable): string => {
  const rows = table.rows.map(row =>
    row.map((cell, i) => canonicalCell(cell, table.columns[i]?.kind ?? 'unknown')).join('\u0001'),
  )
  const hash = createHash('sha256').update(table.rows.length === 0 ? '' : `${table.columns.length}`)
  for (const row of [...new Set(rows)].sort()) hash.update('\u0002').update(row)
  return hash.digest('hex').slice(0, 32)
}
