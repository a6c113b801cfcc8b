import type { Candidate, ExecutionGroup } from '../../../src/domain/candidate.ts'
import type { AgentState, AgentUpdate } from './agent-state.ts'
import type { AgentDeps } from './agent-tools.ts'

/** How much a candidate that ran counts for its result: from 0 to 1 all together. */
type Weigh = (candidate: Candidate) => number

/**
 * Groups candidates by their results. The score of a group is the sum of its candidates' weights, at most 1; its
 * representative is the one that weighs most, and of several the last, which others led to.
 */
export const groupByResult = (candidates: readonly Candidate[], weigh: Weigh): readonly ExecutionGroup[] => {
  const ran = candidates.flatMap(candidate =>
    candidate.run?.status === 'ran'
      ? [{ candidate, key: candidate.run.groupKey, weight: weigh(candidate) }]
      : [],
  )
  return [...Map.groupBy(ran, ({ key }) => key)]
    .map(([key, members]): ExecutionGroup => {
      const representative = members.reduce((best, one) => (one.weight >= best.weight ? one : best))
      return {
        key,
        candidateIds: members.map(({ candidate }) => candidate.id),
        representativeId: representative.candidate.id,
        score: Math.min(
          1,
          members.reduce((sum, { weight }) => sum + weight, 0),
        ),
      }
    })
    .toSorted((a, b) => b.score - a.score)
}

/** The last node of a system that writes one statement: its result, as sure as the system is known to be. */
export const makeConclude =
  ({ storing }: Pick<AgentDeps, 'storing'>) =>
  async ({ question, candidateIds }: AgentState): Promise<AgentUpdate> => {
    const candidates = await storing.runStore.loadCandidates(question.id)
    const own = candidates.filter(({ id }) => candidateIds.includes(id))
    return { groups: groupByResult(own, ({ prior }) => prior) }
  }
