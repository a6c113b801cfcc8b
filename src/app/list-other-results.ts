import type { FindAnswered } from '../core/answered-question.ts'
import type { Candidate } from '../core/candidate.ts'
import type { ListOtherResults, OtherResult } from '../core/other-result.ts'
import type { Trace } from '../core/trace.ts'

/** Makes the use case, over the trace of the run: it has the groups as they stood when the answer was chosen. */
export const makeListOtherResults =
  (deps: {
    readonly findAnswered: FindAnswered
    readonly findTrace: (questionId: string) => Promise<Trace | null>
    readonly listCandidates: (questionId: string) => Promise<readonly Candidate[]>
  }): ListOtherResults =>
  async questionId => {
    const answered = await deps.findAnswered(questionId)
    const trace = answered && (await deps.findTrace(questionId))
    if (!trace) return []
    const candidates = new Map((await deps.listCandidates(questionId)).map(one => [one.id, one]))
    return trace.groups.flatMap((group): OtherResult[] => {
      const standing = candidates.get(group.representativeId)
      if (standing?.run?.status !== 'ran') return []
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
