import type { Cell, ResultColumn, ResultTable } from '../../domain/result.ts'
import { formatCell } from '../../lib/format-cell.ts'
import { formatMeant, headingOf } from '../../lib/format-figure.ts'
import { rowsLeftOut } from '../copy/answer.ts'
import { sectionBlock } from './blocks.ts'
import { type SlackBlock, slackLimits } from './schema.ts'
import { escapeMrkdwn, truncateText } from './text.ts'

const LONGEST_CELL = 200

/** What of a result fits into one native table, and how much of it that is. */
export interface FittedTable {
  readonly block: Extract<SlackBlock, { type: 'table' }>
  readonly rowsShown: number
  readonly columnsShown: number
}

/**
 * Cuts a result down to one native table: a header and up to 99 rows, 20 columns, 10,000 characters in all cells.
 * Long cells are cut first, then rows are left out from the end. Null if there is no column to show.
 */
export const tableBlock = (table: ResultTable): FittedTable | null => {
  const columns = table.columns.slice(0, slackLimits.tableColumns)
  if (columns.length === 0) return null
  const header = columns.map(column => truncateCell(headingOf(column) || '–'))
  const rows: string[][] = []
  let characters = lengthOf(header)
  for (const row of table.rows.slice(0, slackLimits.tableRows - 1)) {
    const cells = columns.map((column, i) => cellText(row[i] ?? null, column))
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
const cellText = (cell: Cell, column: ResultColumn): string => {
  const text = formatMeant(cell, column) ?? formatCell(cell, { maxLength: LONGEST_CELL, kind: column.kind })
  return text.trim() === '' ? '–' : text
}

const truncateCell = (text: string): string => formatCell(text, { maxLength: LONGEST_CELL })

const lengthOf = (cells: readonly string[]): number => cells.reduce((sum, cell) => sum + cell.length, 0)

const isNumeric = (table: ResultTable, column: number): boolean =>
  ['integer', 'number'].includes(table.columns[column]?.kind ?? '') ||
  table.rows.some(row => typeof row[column] === 'number' || typeof row[column] === 'bigint')

/** A wider cell is cut: with wrapped lines it would not read as a table. */
const WIDEST_CELL = 24

/** A table as text in columns, in one section: as many rows as fit, and how many were left out. */
export const monospaceTable = (
  table: Extract<SlackBlock, { readonly type: 'table' }>,
  { isInCsv }: { readonly isInCsv: boolean },
): SlackBlock => {
  // A fence in a cell would end the block.
  const rows = table.rows.map(row =>
    row.map(cell => truncateText(cell.text.replaceAll('`', "'").replace(/\s+/g, ' '), WIDEST_CELL)),
  )
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const lines = rows.map(row =>
    escapeMrkdwn(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    ),
  )
  const fitting: string[] = []
  let left = slackLimits.sectionText - 100
  for (const line of lines) {
    left -= line.length + 1
    if (left < 0) break
    fitting.push(line)
  }
  const missing = lines.length - fitting.length
  const rest = missing > 0 ? `\n${rowsLeftOut(missing, { isInCsv })}` : ''
  return sectionBlock(`\`\`\`\n${fitting.join('\n')}\n\`\`\`${rest}`)
}
