import type { AnswerRevision, InsertRevision, RerunSql, WriteHeadline } from '../../core/answer-revision.ts'
import type { FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { Database } from '../../core/database.ts'
import type { ResultKey } from '../../core/result.ts'
import type { SaveResult } from '../../core/saved-result.ts'
import { trySql } from './try-sql.ts'

/** Makes the use case. What ran is kept like any result, and stands as the answer until somebody changes it again. */
export const makeRerunSql =
  (deps: {
    /** By whoever may edit an answer, or by whoever was asked to look at it. */
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
    const tried = await trySql(database, sql, { evenIfHeavy, ...(signal ? { signal } : {}) })
    if (tried.status !== 'ran') return tried
    const headline = deps.writeHeadline(tried.table)
    const groupKey = deps.resultKey(tried.table, { ordered: false })
    const revision: AnswerRevision = {
      questionId,
      kind: deps.kind,
      person,
      candidateId: null,
      sql: tried.sql,
      resultId: await deps.saveResult(questionId, tried.table),
      headline,
      assumptions: [],
      madeAt: deps.now(),
    }
    // Whoever gave up on it leaves it to somebody else.
    signal?.throwIfAborted()
    if (!(await deps.insertRevision(revision, request, alongside))) return { status: 'late' }
    return { status: 'revised', headline, rowCount: tried.table.rows.length, groupKey }
  }
