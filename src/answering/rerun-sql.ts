import type { AlternativeResult, FindAnsweredQuestion, ListAlternativeResults } from '../domain/answer.ts'
import type {
  AnswerRevision,
  InsertRevision,
  PickResult,
  RerunSql,
  WriteHeadline,
} from '../domain/answer-revision.ts'
import type { Candidate } from '../domain/candidate.ts'
import type { Database } from '../domain/database.ts'
import { SqlError } from '../domain/errors.ts'
import type { LoadResult, ResultKey, ResultTable, SaveResult } from '../domain/result.ts'
import { ExpensiveQueryError } from '../domain/sql.ts'
import type { Trace } from '../domain/trace.ts'

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

/**
 * Makes another candidate's saved result the answer, unless the guard now refuses its SQL. A result that has expired is
 * read again.
 */
export const makePickResult =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    readonly listCandidates: (questionId: string) => Promise<readonly Candidate[]>
    readonly openDatabase: (name: string) => Promise<Pick<Database, 'guard' | 'run'>>
    readonly loadResult: LoadResult
    readonly saveResult: SaveResult
    readonly writeHeadline: WriteHeadline
    readonly insertRevision: InsertRevision
    readonly now: () => Date
  }): PickResult =>
  async ({ questionId, candidateId, person, request, alongside, signal }) => {
    const answered = await deps.findAnswered(questionId)
    const candidates = answered ? await deps.listCandidates(questionId) : []
    const candidate = candidates.find(({ id }) => id === candidateId)
    if (!answered || candidate?.run?.status !== 'ran') return { status: 'gone' }
    const database = await deps.openDatabase(answered.question.database)
    const verdict = database.guard(candidate.sql)
    if (verdict.verdict === 'refuse') return { status: 'unfit', reason: verdict.reason }
    let { resultId } = candidate.run
    let table = await deps.loadResult(resultId)
    if (!table) {
      // It ran before, so a person has already agreed to what it reads.
      const attempt = await trySql(database, candidate.sql, {
        evenIfHeavy: true,
        ...(signal ? { signal } : {}),
      })
      if (attempt.status !== 'ran') return attempt
      table = attempt.table
      resultId = await deps.saveResult(questionId, table)
    }
    const headline = deps.writeHeadline(table)
    const { sql, assumptions } = candidate
    const revision: AnswerRevision = {
      questionId,
      kind: 'picked',
      person,
      candidateId,
      sql,
      resultId,
      headline,
      assumptions,
      madeAt: deps.now(),
    }
    signal?.throwIfAborted()
    if (!(await deps.insertRevision(revision, request, alongside))) return { status: 'late' }
    return { status: 'revised', headline, rowCount: table.rows.length, groupKey: candidate.run.groupKey }
  }

/**
 * Lists alternatives from the run's trace, which has the groups as they were when the answer was chosen. Groups whose
 * SQL the guard now refuses are left out.
 */
export const makeListAlternativeResults =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    readonly findTrace: (questionId: string) => Promise<Trace | null>
    readonly openDatabase: (name: string) => Promise<Pick<Database, 'guard'>>
    readonly listCandidates: (questionId: string) => Promise<readonly Candidate[]>
  }): ListAlternativeResults =>
  async questionId => {
    const answered = await deps.findAnswered(questionId)
    const trace = answered && (await deps.findTrace(questionId))
    if (!trace) return []
    const { guard } = await deps.openDatabase(answered.question.database)
    const candidates = new Map((await deps.listCandidates(questionId)).map(one => [one.id, one]))
    return trace.groups.flatMap((group): AlternativeResult[] => {
      const current = candidates.get(group.representativeId)
      if (current?.run?.status !== 'ran' || guard(current.sql).verdict === 'refuse') return []
      if (answered.candidateId !== null && group.candidateIds.includes(answered.candidateId)) return []
      return [
        {
          groupKey: group.key,
          candidateId: current.id,
          score: group.score,
          sql: current.sql,
          rowCount: current.run.rowCount,
          head: group.head,
        },
      ]
    })
  }
