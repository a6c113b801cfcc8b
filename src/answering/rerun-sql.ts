import type { FindAnsweredQuestion } from '../domain/answer.ts'
import type { AnswerRevision, InsertRevision, RerunSql, WriteHeadline } from '../domain/answer-revision.ts'
import type { Database } from '../domain/database.ts'
import { SqlError } from '../domain/errors.ts'
import type { ResultKey, ResultTable, SaveResult } from '../domain/result.ts'
import { ExpensiveQueryError } from '../domain/sql.ts'

/**
 * Runs a person's SQL in place of the answer's. The result is saved like any other and stays the answer until it is
 * changed again.
 */
export const makeRerunSql =
  (deps: {
    /** `edited` by a person who can edit answers, `fixed` by a reviewer. */
    readonly kind: 'edited' | 'fixed'
    readonly findAnswered: FindAnsweredQuestion
    readonly openDatabase: (name: string) => Promise<Pick<Database, 'guard' | 'run'>>
    readonly saveResult: SaveResult
    readonly writeHeadline: WriteHeadline
    readonly resultKey: ResultKey
    readonly insertRevision: InsertRevision
    readonly now: () => Date
  }): RerunSql =>
  async ({ questionId, sql, evenIfHeavy = false, person, request, alongside, signal }) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return { status: 'gone' }
    const database = await deps.openDatabase(answered.question.database)
    const attempt = await trySql(database, sql, { evenIfHeavy, ...(signal ? { signal } : {}) })
    if (attempt.status !== 'ran') return attempt
    const headline = deps.writeHeadline(attempt.table)
    const groupKey = deps.resultKey(attempt.table, { ordered: false })
    const revision: AnswerRevision = {
      questionId,
      kind: deps.kind,
      person,
      candidateId: null,
      sql: attempt.sql,
      resultId: await deps.saveResult(questionId, attempt.table),
      headline,
      assumptions: [],
      madeAt: deps.now(),
    }
    // The caller gave up and leaves the change to someone else.
    signal?.throwIfAborted()
    if (!(await deps.insertRevision(revision, request, alongside))) return { status: 'late' }
    return { status: 'revised', headline, rowCount: attempt.table.rows.length, groupKey }
  }

/** The outcome of running a person's SQL. `too-heavy` was not run; it runs after the person confirms. */
type SqlAttempt =
  | { readonly status: 'ran'; readonly sql: string; readonly table: ResultTable }
  | { readonly status: 'unfit' | 'too-heavy'; readonly reason: string }

/**
 * Runs a person's SQL like any other: through the guard, read-only and under every cap. Refusals by the guard or the
 * database are returned; rejects if the database cannot be reached or the signal fires.
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
