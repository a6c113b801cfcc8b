import type { AgentState } from '../../strategies/shared/agent-state.ts'
import type { AgentStrategy } from '../../strategies/shared/agent-strategy.ts'
import type { NodeRun, StoringDeps } from '../deps.ts'
import type { State, Update } from '../state.ts'

/**
 * Has a published system answer in place of our own drafting. Its graph runs within this node; what it wrote, found and
 * cost is added to the run, as if our own nodes had done it. A system without a candidate that ran, because its model
 * failed, leaves the question to what needs no model.
 */
export const makeRunStrategy =
  (deps: { readonly agents: AgentStrategy | null; readonly storing: Pick<StoringDeps, 'runStore'> }) =>
  async ({ question, round: attempt, waves }: State, run: NodeRun): Promise<Update> => {
    const { agents } = deps
    // The route to this node is only taken with a system.
    if (agents === null) return {}
    const done = await agents.run({ question, attempt }, run)
    const candidates = await deps.storing.runStore.loadCandidates(question.id)
    const written = candidates.filter(({ id }) => done.candidateIds.includes(id))
    const { groups, calls, usage, failures, cannotAnswer } = done
    return {
      ...{ groups, calls, usage, failures, cannotAnswer },
      candidateIds: written.map(({ id }) => id),
      drafted: written.map(({ id, path, origin: { round } }) => ({ id, path, attempt, round })),
      waves: [
        {
          round: attempt,
          wave: waves.filter(wave => wave.round === attempt).length,
          drafts: [],
          probability: groups[0]?.score ?? 0,
          gain: null,
          reason: reasonOf(agents, done),
        },
      ],
      needsFreeReading: groups.length === 0 && cannotAnswer.length === 0 && done.halted !== null,
    }
  }

const reasonOf = ({ name }: AgentStrategy, { calls, halted }: AgentState): string => {
  const times = [...Map.groupBy(calls, ({ agent }) => agent)].map(
    ([agent, { length }]) => `${agent} ${length}`,
  )
  const asked = times.length === 0 ? 'no agent was asked' : `agents asked: ${times.join(', ')}`
  return `${name}: ${asked}${halted === null ? '' : `; it ended early (${halted})`}`
}
