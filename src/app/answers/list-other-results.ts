import type { FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { Candidate } from '../../core/candidate.ts'
import type { Database } from '../../core/database.ts'
import type { AlternativeResult, ListAlternativeResults } from '../../core/other-result.ts'
import type { Trace } from '../../core/trace.ts'

/**
 * Makes the use case, over the trace of the run: it has the groups as they stood when the answer was chosen. Those whose
 * SQL the guard has come to refuse are left out.
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
      const standing = candidates.get(group.representativeId)
      if (standing?.run?.status !== 'ran' || guard(standing.sql).verdict === 'refuse') return []
      if (answered.candidateId !== null && group.candidateIds.includes(answered.candidateId)) return []
      return [
        {
          groupKey: group.key,
          candidateId: standing.id,
          score: group.score,
          sql: standing.sql,
          rowCount: standing.run.rowCount,
          head: group.head,
        },
      ]
    })
  }
