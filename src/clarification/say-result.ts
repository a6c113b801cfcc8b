import type { ResultHead } from '../core/result-head.ts'
import { formatCell } from '../lib/format-cell.ts'

const LONGEST_CELL = 24
const MOST_ROWS = 3

/** What a choice would give, for beside its label: the value itself where there is one, else how many rows. */
export const formatHint = (head: ResultHead | undefined, rowCount: number): string => {
  const [row] = head?.rows ?? []
  if (rowCount === 1 && row?.length === 1) return cell(row[0] ?? null)
  return `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`
}

/** A result by its first rows, for choices that differ in nothing that could be said shorter; null without rows. */
export const formatResult = (head: ResultHead | undefined): string | null => {
  if (head === undefined || head.rows.length === 0) return null
  const rows = head.rows.slice(0, MOST_ROWS).map(row => row.slice(0, MOST_ROWS).map(cell).join(', '))
  return `${rows.join('; ')}${head.rowCount > MOST_ROWS ? '; …' : ''}`
}

const cell = (value: Parameters<typeof formatCell>[0]): string =>
  formatCell(value, { maxLength: LONGEST_CELL, grouped: true })
