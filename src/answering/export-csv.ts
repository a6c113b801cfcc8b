import { setImmediate as nextTurn } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import type { ExportRows, FindAnsweredQuestion } from '../domain/answer.ts'
import type { Database } from '../domain/database.ts'
import type { Cell, LoadResult, ResultTable } from '../domain/result.ts'

/**
 * Makes the use case: the whole result of an answer as CSV. Rows that are saved whole are taken as they are, so that
 * the file says what the answer said; rows that a cap had cut, or that are no longer kept, are read again. Null also
 * where the guard has come to refuse what was allowed when the question was answered: saved rows go to nobody then.
 */
export const makeExportRows =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    readonly loadResult: LoadResult
    readonly openDatabase: (name: string) => Promise<Pick<Database, 'guard' | 'run' | 'runWhole'>>
  }): ExportRows =>
  async (questionId, { signal, onSlow } = {}) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return null
    const database = await deps.openDatabase(answered.question.database)
    const verdict = database.guard(answered.sql)
    if (verdict.verdict === 'refuse') return null
    const savedRows = await deps.loadResult(answered.resultId)
    const isWhole = savedRows?.truncated === null
    if (!isWhole) onSlow?.()
    const readAgain = database.runWhole ?? database.run
    const table: ResultTable = isWhole
      ? savedRows
      : await readAgain(verdict.guarded, {
          // It has been run before: whoever may see its rows may have all of them.
          evenIfHeavy: true,
          ...(signal ? { signal } : {}),
        })
    return {
      fileName: `answer-${questionId.slice(0, 8)}.csv`,
      csv: await formatCsv(table),
      rows: table.rows.length,
      complete: table.truncated === null,
    }
  }

/** Rows that are written in one go: between two such pieces the process does other things. */
const BATCH_ROWS = 2_000

/**
 * A result as CSV. Text that a spreadsheet would run as a formula (`=`, `+`, `-`, `@`, tab, carriage return at its
 * start) is defused (threat T9); a byte order mark keeps Excel from reading UTF-8 as something else.
 */
export const formatCsv = async (table: ResultTable): Promise<Uint8Array> => {
  const columns = table.columns.map((column, i) => ({ key: String(i), header: column.name || '–' }))
  const decimals = new Set(table.columns.flatMap(({ kind }, i) => (kind === 'number' ? [String(i)] : [])))
  const write = (rows: ResultTable['rows'], isFirst: boolean): Buffer =>
    Buffer.from(
      stringify(
        rows.map(row => row.map(asText)),
        {
          header: isFirst,
          columns,
          escape_formulas: true,
          bom: isFirst,
          cast: {
            // A decimal that no double holds comes as text, and is no formula for beginning with a minus.
            string: (value, { column }) =>
              decimals.has(String(column)) && /^-\d+\.\d+$/.test(value)
                ? { value, escape_formulas: false }
                : value,
          },
        },
      ),
    )
  const pieces = [write(table.rows.slice(0, BATCH_ROWS), true)]
  for (let at = BATCH_ROWS; at < table.rows.length; at += BATCH_ROWS) {
    await nextTurn()
    pieces.push(write(table.rows.slice(at, at + BATCH_ROWS), false))
  }
  return Buffer.concat(pieces)
}

/** Numbers stay numbers: only text can be a formula, and a negative amount must not be defused. */
const asText = (cell: Cell): string | number | bigint | null => {
  if (cell === null || typeof cell === 'number' || typeof cell === 'bigint') return cell
  if (cell instanceof Uint8Array) return `0x${Buffer.from(cell).toString('hex')}`
  return String(cell)
}
