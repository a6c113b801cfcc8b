import type { Cell, ResultColumn, ResultTable } from '../domain/result.ts'
import { formatCell } from '../lib/format-cell.ts'
import { type FigureUnit, formatMeant, headingOf, scaleFigure } from '../lib/format-figure.ts'
import { withoutInvisible } from '../lib/inert-text.ts'
import { resultCopy } from './copy.ts'

/** Rows of a table in text, which a model reads whole. */
const ROWS_SHOWN = 20

/** Rows that a client gets as data. */
const ROWS_RETURNED = 200

const CELL_WIDTH = 80

/** Text of a database or a person without control and invisible characters: it may have been written to fool its reader. */
export const plainText = (text: string): string =>
  withoutInvisible(text.replaceAll(/(?![\n\t])\p{Cc}/gu, '\ufffd'))

/**
 * The same as Markdown in which nothing happens: no links, images or HTML, which a client may load or a person may click.
 * An address by itself stays one.
 */
export const inertMarkdown = (text: string): string => plainText(text).replaceAll(/[\\[\]<]/g, '\\$&')

/** A result as a Markdown table; no lines if the headline has the only value, or if there are no rows. */
export const tableLines = (table: ResultTable): readonly string[] => {
  if (table.rows.length === 0 || (table.rows.length === 1 && table.columns.length === 1)) return []
  const line = (cells: readonly string[]): string => `| ${cells.map(inCell).join(' | ')} |`
  const total = table.rows.length
  const isCut = table.truncated !== null
  return [
    line(table.columns.map(headingOf)),
    line(table.columns.map((_, i) => (isNumeric(table, i) ? '---:' : '---'))),
    ...table.rows
      .slice(0, ROWS_SHOWN)
      .map(row => line(row.map((cell, i) => cellText(cell, table.columns[i])))),
    ...(isCut || total > ROWS_SHOWN ? [resultCopy.shownRows(Math.min(ROWS_SHOWN, total), total, isCut)] : []),
  ]
}

const inCell = (text: string): string =>
  inertMarkdown(text.replaceAll(/\s*\n\s*/g, ' ')).replaceAll('|', '\\|')

const isNumeric = (table: ResultTable, column: number): boolean =>
  ['integer', 'number'].includes(table.columns[column]?.kind ?? '') ||
  table.rows.some(row => typeof row[column] === 'number' || typeof row[column] === 'bigint')

const cellText = (cell: Cell, column: ResultColumn | undefined): string =>
  (column && formatMeant(cell, column)) ??
  formatCell(cell, { maxLength: CELL_WIDTH, kind: column?.kind ?? 'unknown' })

/** A statement as a block, which nothing in it can end. */
export const sqlLines = (sql: string): readonly string[] => {
  const longest = Math.max(2, ...[...sql.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return [`${fence}sql`, plainText(sql), fence]
}

/**
 * A result as data. Figures are as they are meant, in the unit of their column: nobody would know that 23000 is €230.
 */
export const tableData = (table: ResultTable) => ({
  columns: table.columns.map(column => ({
    name: column.name,
    label: headingOf(column),
    unit: unitName(column.meaning?.unit ?? null),
  })),
  rows: table.rows.slice(0, ROWS_RETURNED).map(row => row.map((cell, i) => dataCell(cell, table.columns[i]))),
  rowCount: table.rows.length,
  truncated: table.truncated !== null || table.rows.length > ROWS_RETURNED,
})

const dataCell = (cell: Cell, column: ResultColumn | undefined): string | number | boolean | null => {
  const unit = column?.meaning?.unit ?? null
  const isScaled = unit !== null && 'scale' in unit && unit.scale !== 1
  const number = isScaled ? Number(cell) : Number.NaN
  return isScaled && cell !== null && Number.isFinite(number) ? scaleFigure(number, unit) : jsonCell(cell)
}

const unitName = (unit: FigureUnit | null): string | null => {
  switch (unit?.kind) {
    case 'currency':
      return unit.code ?? 'money'
    case 'percent':
      return 'percent'
    case 'duration':
      return `${unit.unit}s`
    case 'other':
      return unit.suffix
    default:
      return null
  }
}

/** Whole numbers that JSON parsers round become text, and bytes hexadecimal text. */
const jsonCell = (cell: Cell): string | number | boolean | null => {
  if (typeof cell === 'bigint') return Number.isSafeInteger(Number(cell)) ? Number(cell) : String(cell)
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : String(cell)
  return cell instanceof Uint8Array ? `0x${Buffer.from(cell).toString('hex')}` : cell
}
