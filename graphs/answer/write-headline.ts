import type { Cell, ResultTable, ValueKind } from '../../src/core/result.ts'
import { formatCell } from '../../src/lib/format-cell.ts'

/**
 * The first line of an answer, from the result alone: the value itself when there is just one, else how many rows
 * there are of what.
 */
export const writeHeadline = (table: ResultTable): string => {
  const [first] = table.rows
  const [column] = table.columns
  if (!first) return 'No rows match.'
  if (table.rows.length === 1 && table.columns.length === 1 && column) {
    return `${spoken(column.name)}: ${formatted(first[0] ?? null, column.kind)}`
  }
  const rows = `${table.truncated ? 'more than ' : ''}${formatted(table.rows.length, 'integer')}`
  const columns = table.columns.map(column => spoken(column.name)).join(', ')
  return `${rows} ${table.rows.length === 1 ? 'row' : 'rows'}: ${columns}`
}

const spoken = (name: string): string => name.replaceAll('_', ' ')

const formatted = (cell: Cell, kind: ValueKind): string => formatCell(cell, { grouped: true, kind })
