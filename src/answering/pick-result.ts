import type { AlternativeResult, FindAnsweredQuestion, ListAlternativeResults } from '../domain/answer.ts'
import type { AnswerRevision, InsertRevision, PickResult, WriteHeadline } from '../domain/answer-revision.ts'
import type { Candidate } from '../domain/candidate.ts'
import type { Database } from '../domain/database.ts'
import type { LoadResult, SaveResult } from '../domain/result.ts'
import type { Trace } from '../domain/trace.ts'
import { trySql } from './rerun-sql.ts'

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
