import type { RecapSettings } from '../../../src/domain/strategies/recap.ts'
import type { AgentUpdate } from '../shared/agent-state.ts'
import type { AgentDeps } from '../shared/agent-tools.ts'
import { groupByResult } from '../shared/conclude.ts'
import type { RecapState } from './recap.ts'

/**
 * The last node: the answer that was accepted, or else the latest that ran, those that found something first. What was
 * rejected before it is no answer, and looks at the data never are.
 */
export const makeConcludeRecap =
  ({ storing }: Pick<AgentDeps, 'storing'>, { confidence, doubtedConfidence }: RecapSettings) =>
  async ({ question, candidateIds, lookIds, acceptedId }: RecapState): Promise<AgentUpdate> => {
    const candidates = new Map(
      (await storing.runStore.loadCandidates(question.id)).map(candidate => [candidate.id, candidate]),
    )
    const ran = candidateIds
      .filter(id => !lookIds.includes(id))
      .flatMap(id => candidates.get(id) ?? [])
      .filter(({ run }) => run?.status === 'ran')
    const answer =
      ran.find(({ id }) => id === acceptedId) ??
      ran.findLast(({ run }) => run?.status === 'ran' && run.rowCount > 0) ??
      ran.at(-1)
    if (answer === undefined) return { groups: [] }
    const score = answer.id === acceptedId ? confidence : doubtedConfidence
    return { groups: groupByResult([answer], () => score) }
  }
