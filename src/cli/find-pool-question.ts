import type { Candidate } from '../core/candidate.ts'
import type { FindClarification } from '../core/clarification.ts'
import type { PoolQuestion } from '../evaluation/execute-pools.ts'
import type { FindPoolClarification } from '../evaluation/score-asking.ts'
import type { PoolMemory } from './open-for-pools.ts'

/** Makes the search for a question back over candidates of a pool: the one that answers ask with, over the same groups. */
export const makeFindPoolClarification =
  (
    findClarification: FindClarification,
    { catalogs, heads, texts }: PoolMemory & { readonly texts: ReadonlyMap<string, string> },
  ): FindPoolClarification =>
  (question, groups) => {
    const catalog = catalogs.get(question.database)
    if (catalog === undefined) return null
    const candidates = candidatesOf(question, heads)
    const text = texts.get(question.id) ?? ''
    const found = findClarification({ question: text, catalog, groups, candidates, heads })
    if (found === null) return null
    return {
      value: found.value,
      options: found.clarification.options.map(({ candidateIds }) => ({
        candidateIds,
        answerId:
          groups.find(group => group.candidateIds.some(id => candidateIds.includes(id)))?.representativeId ??
          '',
      })),
    }
  }

const candidatesOf = (
  { candidates, ballots }: PoolQuestion,
  heads: PoolMemory['heads'],
): readonly Candidate[] =>
  ballots.map(({ candidateId, lineage, run }, at) => ({
    id: candidateId,
    path: 'pool-replay',
    lineage,
    rank: candidates[at]?.rank ?? 0,
    sql: candidates[at]?.sql ?? '',
    prior: 0,
    decisions: [],
    assumptions: [],
    unused: null,
    repairs: [],
    run: run && {
      status: 'ran',
      // Heads are kept by the key of the group: its results are equal.
      resultId: run.groupKey,
      groupKey: run.groupKey,
      columnsKey: run.columnsKey,
      evidence: run.evidence,
      rowCount: heads.get(run.groupKey)?.rowCount ?? 0,
      columnCount: heads.get(run.groupKey)?.columns.length ?? 0,
      milliseconds: 0,
    },
  }))
