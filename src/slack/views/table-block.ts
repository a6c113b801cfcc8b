import type { Cell, ResultTable, ValueKind } from '../../core/result.ts'
import { formatCell } from '../../lib/format-cell.ts'
import type { SlackBlock } from '../block-schema.ts'
import { slackLimits } from '../limits.ts'

const LONGEST_CELL = 200

/** What of a result fits into one native table, and how much of it that is. */
export interface FittedTable {
  readonly block: Extract<SlackBlock, { type: 'table' }>
  readonly rowsShown: number
  readonly columnsShown: number
}

/**
 * Cuts a result down to one native table: a header and up to 99 rows, 20 columns, 10,000 characters in all cells.
 * Long cells are cut first, then rows are left out from the end. Null when there is no column to show.
 */
export const tableBlock = (table: ResultTable): FittedTable | null => {
  const columns = table.columns.slice(0, slackLimits.tableColumns)
  if (columns.length === 0) return null
  const header = columns.map(column => truncateCell(column.name === '' ? '–' : column.name))
  const rows: string[][] = []
  let characters = lengthOf(header)
  for (const row of table.rows.slice(0, slackLimits.tableRows - 1)) {
    const cells = columns.map((_, i) => cellText(row[i] ?? null, columns[i]?.kind))
    characters += lengthOf(cells)
    if (characters > slackLimits.tableCharacters) break
    rows.push(cells)
  }
  return {
    block: {
      type: 'table',
      rows: [header, ...rows].map(cells => cells.map(text => ({ type: 'raw_text', text }))),
      column_settings: columns.map((_, i) =>
        isNumeric(table, i) ? { align: 'right' } : { is_wrapped: true },
      ),
    },
    rowsShown: rows.length,
    columnsShown: columns.length,
  }
}

/** Empty raw text is refused by Slack; a cell of blanks counts as empty. */
const cellText = (cell: Cell, kind: ValueKind = 'unknown'): string => {
  const text = formatCell(cell, { maxLength: LONGEST_CELL, kind })
  return text.trim() === '' ? '–' : text
}

const truncateCell = (text: string): string => formatCell(text, { maxLength: LONGEST_CELL })

const lengthOf = (cells: readonly string[]): number => cells.reduce((sum, cell) => sum + cell.length, 0)

const isNumeric = (table: ResultTable, column: number): boolean =>
  ['integer', 'number'].includes(table.columns[column]?.kind ?? '') ||
  table.rows.some(row => typeof row[column] === 'number' || typeof row[column] === 'bigint')
