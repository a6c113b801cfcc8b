import type { ExportRows, FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { Database } from '../../core/database.ts'
import type { ResultTable } from '../../core/result.ts'
import type { LoadResult } from '../../core/saved-result.ts'
import { formatCsv } from './write-csv.ts'

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
    const saved = await deps.loadResult(answered.resultId)
    const isWhole = saved?.truncated === null
    if (!isWhole) onSlow?.()
    const readAgain = database.runWhole ?? database.run
    const table: ResultTable = isWhole
      ? saved
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
