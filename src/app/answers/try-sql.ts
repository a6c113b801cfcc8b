import type { Database } from '../../core/database.ts'
import { ExpensiveQueryError } from '../../core/query-estimate.ts'
import type { ResultTable } from '../../core/result.ts'
import { SqlError } from '../../core/sql-error.ts'

/** What became of SQL of a person. `too-heavy` was not run, and is run where the person says so. */
export type SqlAttempt =
  | { readonly status: 'ran'; readonly sql: string; readonly table: ResultTable }
  | { readonly status: 'unfit' | 'too-heavy'; readonly reason: string }

/**
 * Runs SQL of a person as any other: through the guard, read-only, under every cap. What the guard or the database
 * refuses is told; rejects when the database cannot be reached or the signal fires.
 */
export const trySql = async (
  database: Pick<Database, 'guard' | 'run'>,
  text: string,
  options: { readonly evenIfHeavy?: boolean; readonly signal?: AbortSignal } = {},
): Promise<SqlAttempt> => {
  const sql = text.trim().replace(/\s*;$/, '')
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') return { status: 'unfit', reason: verdict.reason }
  try {
    return { status: 'ran', sql, table: await database.run(verdict.guarded, options) }
  } catch (error) {
    options.signal?.throwIfAborted()
    if (!(error instanceof SqlError) || error.errorClass === 'connection') throw error
    return { status: error instanceof ExpensiveQueryError ? 'too-heavy' : 'unfit', reason: error.message }
  }
}
