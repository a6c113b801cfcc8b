import { setImmediate as nextTurn } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'
import type { NotAllowed } from '../domain/access/access.ts'
import type { ExportRows, FindAnsweredQuestion } from '../domain/answer.ts'
import type { Database } from '../domain/database.ts'
import type { Cell, LoadResult, ResultTable } from '../domain/result.ts'

/**
 * Exports the whole result of an answer as CSV. Complete saved rows are used as they are, so the file matches the
 * answer; rows that a cap cut or that have expired are read again. Null also if the guard now refuses the statement:
 * then saved rows are not given out either.
 */
export const makeExportRows =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    readonly loadResult: LoadResult
    readonly openDatabase: (name: string) => Promise<Pick<Database, 'guard' | 'run' | 'runWhole' | 'rights'>>
  }): ExportRows =>
  async (questionId, { signal, onSlow } = {}) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return null
    const database = await deps.openDatabase(answered.question.database)
    if (database.rights?.mayExport === false) return noExport
    const verdict = database.guard(answered.sql)
    if (verdict.verdict === 'refuse') return null
    const savedRows = await deps.loadResult(answered.resultId)
    const isWhole = savedRows?.truncated === null
    if (!isWhole) onSlow?.()
    const readAgain = database.runWhole ?? database.run
    const table: ResultTable = isWhole
      ? savedRows
      : await readAgain(verdict.guarded, {
          // It ran before, and a person who can see its rows can have all of them.
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

const noExport: NotAllowed = {
  status: 'not-allowed',
  reason: 'Rows of this database cannot be exported with the access that this answer was made for.',
  nextStep: 'An admin can allow it with `export: true` for the group under `access.groups` in querent.yml.',
}

/** Rows written at once; between batches the process can do other work. */
const BATCH_ROWS = 2_000

/**
 * Writes a result as CSV. Text that a spreadsheet would run as a formula (starting with `=`, `+`, `-`, `@`, tab or
 * carriage return, also behind spaces, separators and quotes) is escaped; a byte order mark makes Excel read it as UTF-8.
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
            // Decimals that no double holds arrive as text; a leading minus does not make them formulas.
            string: (value, { column }) =>
              decimals.has(String(column)) && /^-\d+\.\d+$/.test(value)
                ? { value, escape_formulas: false }
                : hiddenFormula.test(value)
                  ? `'${value}`
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

/**
 * A formula behind spaces, line ends or invisible signs, which some spreadsheets drop, or behind a separator or quote,
 * which starts a cell of its own in others. The library looks at the first character alone.
 */
const hiddenFormula = /^(?!\t|\r)[\s\p{Cf}\p{Cc};,|'"`]+[=+\-@\uff1d\uff0b\uff0d\uff20]/u

/** Numbers stay numbers: only text can be a formula, and negative amounts must not be escaped. */
const asText = (cell: Cell): string | number | bigint | null => {
  if (cell === null || typeof cell === 'number' || typeof cell === 'bigint') return cell
  if (cell instanceof Uint8Array) return `0x${Buffer.from(cell).toString('hex')}`
  return String(cell)
}
