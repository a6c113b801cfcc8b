import type { ExportRows, FindAnswered } from '../core/answered-question.ts'
import type { Database } from '../core/database.ts'
import type { ResultTable } from '../core/result.ts'
import type { LoadResult } from '../core/saved-result.ts'
import { writeCsv } from './write-csv.ts'

/**
 * Makes the use case: the whole result of an answer as CSV. Rows that are saved whole are taken as they are, so that
 * the file says what the answer said; rows that a cap had cut, or that are no longer kept, are read again.
 */
export const makeExportRows =
  (deps: {
    readonly findAnswered: FindAnswered
    readonly loadResult: LoadResult
    readonly openDatabase: (name: string) => Promise<Pick<Database, 'guard' | 'run' | 'runWhole'>>
  }): ExportRows =>
  async (questionId, { signal, onSlow } = {}) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return null
    const saved = await deps.loadResult(answered.resultId)
    const isWhole = saved?.truncated === null
    if (!isWhole) onSlow?.()
    const table = isWhole ? saved : ((await readAgain(deps, answered, signal)) ?? saved)
    if (!table) return null
    return {
      fileName: `answer-${questionId.slice(0, 8)}.csv`,
      csv: await writeCsv(table),
      rows: table.rows.length,
      complete: table.truncated === null,
    }
  }

/** Null where the guard has come to refuse what was allowed when the question was answered. */
const readAgain = async (
  { openDatabase }: Pick<Parameters<typeof makeExportRows>[0], 'openDatabase'>,
  { question, sql }: { readonly question: { readonly database: string }; readonly sql: string },
  signal: AbortSignal | undefined,
): Promise<ResultTable | null> => {
  const database = await openDatabase(question.database)
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') return null
  return (database.runWhole ?? database.run)(verdict.guarded, signal ? { signal } : {})
}
