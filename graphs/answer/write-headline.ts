import type { Cell, ResultTable, ValueKind } from '../../src/core/result.ts'
import { formatCell } from '../../src/lib/format-cell.ts'

/**
 * The first line of an answer, from the result alone: the value itself when there is just one, else how many rows
 * there are of what.
 */
export const formatHeadline = (table: ResultTable): string => {
  const [first] = table.rows
  const [column] = table.columns
  if (!first) return 'No rows match.'
  if (table.rows.length === 1 && table.columns.length === 1 && column) {
    return `${withoutUnderscores(column.name)}: ${formatValue(first[0] ?? null, column.kind)}`
  }
  const rows = `${table.truncated ? 'more than ' : ''}${formatValue(table.rows.length, 'integer')}`
  const columns = table.columns.map(column => withoutUnderscores(column.name)).join(', ')
  return `${rows} ${table.rows.length === 1 ? 'row' : 'rows'}: ${columns}`
}

const withoutUnderscores = (name: string): string => name.replaceAll('_', ' ')

const formatValue = (cell: Cell, kind: ValueKind): string => formatCell(cell, { grouped: true, kind })
