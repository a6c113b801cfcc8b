import type { Cell, ResultColumn, ResultTable } from '../../domain/result.ts'
import { formatCell } from '../../lib/format-cell.ts'
import { formatMeant, headingOf } from '../../lib/format-figure.ts'
import { nameHeading, rowsLeftOut, tableCaption } from '../copy/answer.ts'
import { sectionBlock } from './blocks.ts'
import { type SlackBlock, slackLimits } from './schema.ts'
import { escapeMrkdwn, truncateText } from './text.ts'

/** A table that people sort and page through. */
export type DataTable = Extract<SlackBlock, { readonly type: 'data_table' }>

/** The older block: a table to read. */
export type PlainTable = Extract<SlackBlock, { readonly type: 'table' }>

export type AnyTable = DataTable | PlainTable

type TableCell = AnyTable['rows'][number][number]

const LONGEST_CELL = 200

/** Rows of a page, unless all of them fit into a slightly longer one. */
const ROWS_PER_PAGE = 10

const ROWS_ON_ONE_PAGE = 15

/** What of a result fits into one native table, and how much of it that is. */
export interface FittedTable {
  readonly block: DataTable
  readonly rowsShown: number
  readonly columnsShown: number
}

/**
 * Cuts a result down to one native table: a header and up to 100 rows, 20 columns, 10,000 characters in all cells. Long
 * cells are cut first, then rows are left out from the end. Null if there is no column or no row to show.
 */
export const tableBlock = (table: ResultTable): FittedTable | null => {
  const columns = table.columns.slice(0, slackLimits.tableColumns)
  const header = columns.map(column => truncateCell(headingOf(column) || '–'))
  const numeric = columns.map((_, i) => isNumeric(table, i))
  const rows: TableCell[][] = []
  let characters = lengthOf(header)
  for (const row of table.rows.slice(0, slackLimits.dataTableRows - 1)) {
    const cells = columns.map((column, i) => cellOf(row[i] ?? null, column, numeric[i] ?? false))
    characters += lengthOf(cells.map(({ text }) => text))
    if (characters > slackLimits.tableCharacters) break
    rows.push(cells)
  }
  if (columns.length === 0 || rows.length === 0) return null
  const isFigure = columns.map((column, i) => numeric[i] === true && measures(column))
  const labels = oneName(
    columns.filter((_, i) => !isFigure[i]),
    header.filter((_, i) => !isFigure[i]),
  )
  const isOwn = (column: ResultColumn | undefined): boolean =>
    column?.meaning?.role.kind !== 'figure' || column.meaning.role.of === 'value'
  // Shares and changes go without saying beside what they are of.
  const hasOwn = columns.some((column, i) => isFigure[i] && isOwn(column))
  const figures = header.filter((_, i) => isFigure[i] && (!hasOwn || isOwn(columns[i])))
  return {
    block: {
      type: 'data_table',
      caption: truncateText(tableCaption(labels, figures), slackLimits.dataTableCaption),
      rows: [header.map(rawText), ...rows],
      page_size: rows.length <= ROWS_ON_ONE_PAGE ? rows.length : ROWS_PER_PAGE,
      row_header_column_index: Math.max(0, isFigure.indexOf(false)),
    },
    rowsShown: rows.length,
    columnsShown: columns.length,
  }
}

/** First and last name are one name. */
const oneName = (columns: readonly ResultColumn[], headings: readonly string[]): readonly string[] =>
  columns.length > 1 && columns.every(({ meaning }) => meaning?.role.kind === 'name')
    ? [nameHeading]
    : headings

/** Numbers that say which one instead of how much. */
const namesThing = /(^|_)(id|no|nr|number|code|zip|year|month|week|quarter|day|hour)$/i

const measures = ({ name, meaning }: ResultColumn): boolean =>
  meaning === undefined ? !namesThing.test(name) : meaning.role.kind === 'figure'

const rawText = (text: string): TableCell => ({ type: 'raw_text', text })

/** Slack sorts a column as numbers if it has nothing but numbers, so a missing one stays a dash. */
const cellOf = (cell: Cell, column: ResultColumn, isNumber: boolean): TableCell => {
  const text = cellText(cell, column)
  const value = isNumber && cell !== null && cell !== '' ? Number(cell) : Number.NaN
  return Number.isFinite(value) ? { type: 'raw_number', value, text } : rawText(text)
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

/** The same table as the older block, which has no numbers and takes one row less. */
export const plainTable = (table: AnyTable): PlainTable => {
  if (table.type === 'table') return table
  const [header = [], ...rows] = table.rows
  return {
    type: 'table',
    rows: table.rows.slice(0, slackLimits.tableRows).map(row => row.map(({ text }) => rawText(text))),
    column_settings: header.map((_, i) =>
      rows.some(row => row[i]?.type === 'raw_number') ? { align: 'right' } : { is_wrapped: true },
    ),
  }
}

/** A wider cell is cut: with wrapped lines it would not read as a table. */
const WIDEST_CELL = 24

/** A table as text in columns, in one section: as many rows as fit, and how many were left out. */
export const monospaceTable = (table: AnyTable, { isInCsv }: { readonly isInCsv: boolean }): SlackBlock => {
  // A fence in a cell would end the block.
  const rows = table.rows.map(row =>
    row.map(cell => truncateText(cell.text.replaceAll('`', "'").replace(/\s+/g, ' '), WIDEST_CELL)),
  )
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  const settings = plainTable(table).column_settings ?? []
  const lines = rows.map(row =>
    escapeMrkdwn(
      row
        .map((cell, column) =>
          settings[column]?.align === 'right'
            ? cell.padStart(widths[column] ?? 0)
            : cell.padEnd(widths[column] ?? 0),
        )
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
