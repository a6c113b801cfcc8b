import { stringify } from 'csv-stringify/sync'
import type { ExportRows, FindAnswered } from '../core/answered-question.ts'
import type { Cell } from '../core/result.ts'
import type { LoadResult } from '../core/saved-result.ts'

/**
 * Makes the use case: the saved result of an answer as CSV. Text that a spreadsheet would run as a formula is
 * defused (threat T9); a byte order mark keeps Excel from reading UTF-8 as something else.
 */
export const makeExportRows =
  (deps: { readonly findAnswered: FindAnswered; readonly loadResult: LoadResult }): ExportRows =>
  async questionId => {
    const answered = await deps.findAnswered(questionId)
    const table = answered && (await deps.loadResult(answered.resultId))
    if (!answered || !table) return null
    const decimals = new Set(
      table.columns.flatMap((column, i) => (column.kind === 'number' ? [String(i)] : [])),
    )
    const csv = stringify(
      table.rows.map(row => row.map(asText)),
      {
        header: true,
        columns: table.columns.map((column, i) => ({ key: String(i), header: column.name || '–' })),
        escape_formulas: true,
        bom: true,
        cast: {
          // A decimal that no double holds comes as text, and is no formula for beginning with a minus.
          string: (value, { column }) =>
            decimals.has(String(column)) && /^-\d+\.\d+$/.test(value)
              ? { value, escape_formulas: false }
              : value,
        },
      },
    )
    return {
      fileName: `answer-${questionId.slice(0, 8)}.csv`,
      csv,
      rows: table.rows.length,
      complete: table.truncated === null,
    }
  }

/** Numbers stay numbers: only text can be a formula, and a negative amount must not be defused. */
const asText = (cell: Cell): string | number | bigint | null => {
  if (cell === null || typeof cell === 'number' || typeof cell === 'bigint') return cell
  if (cell instanceof Uint8Array) return `0x${Buffer.from(cell).toString('hex')}`
  return String(cell)
}
