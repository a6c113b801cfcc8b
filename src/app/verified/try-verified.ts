import { QuerentError } from '../../core/errors.ts'
import type { ResultKey } from '../../core/result.ts'
import { SqlError, type SqlErrorClass } from '../../core/sql-error.ts'
import type { TryVerified } from '../../core/verified-recheck.ts'

/** What says something of the server or of the moment, not of the statement. */
const transientErrors: ReadonlySet<SqlErrorClass> = new Set([
  'connection',
  'timeout',
  'over-budget',
  'cancelled',
])

/** Makes the trial: guard, then a read-only run under the caps of the database. */
export const makeTryVerified =
  (deps: { readonly resultKey: ResultKey }): TryVerified =>
  async ({ sql }, database, { signal } = {}) => {
    const verdict = database.guard(sql)
    if (verdict.verdict === 'refuse') return { status: 'broken', reason: verdict.reason }
    try {
      const table = await database.run(verdict.guarded, signal ? { signal } : {})
      const resultHash = table.truncated === null ? deps.resultKey(table, { ordered: false }) : null
      return { status: 'ran', rowCount: table.rows.length, resultHash }
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof QuerentError)) throw error
      if (error instanceof SqlError && error.errorClass === 'too-heavy')
        return { status: 'too-heavy', reason: error.message }
      const isPassing = !(error instanceof SqlError) || transientErrors.has(error.errorClass)
      return { status: isPassing ? 'unreachable' : 'broken', reason: error.message }
    }
  }
