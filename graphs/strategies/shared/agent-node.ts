import { ModelError } from '../../../src/domain/errors.ts'
import type { AgentStrategyName } from '../../../src/domain/strategies/strategy.ts'
import type { NodeRun } from '../../answer/deps.ts'
import { makeShareRuns } from '../../answer/repair/shared-runs.ts'
import type { AgentState, AgentUpdate } from './agent-state.ts'
import { type AgentDeps, type AgentTools, openTools } from './agent-tools.ts'

/** The work of one node: reads the state, asks agents and writes statements with the tools, and returns what changes. */
type AgentWork<State extends AgentState, Update> = (state: State, tools: AgentTools) => Promise<Update>

/**
 * Makes the nodes of one published system. A node's calls, costs and statements are added to its update. If a model fails
 * or the budget is spent, the node halts the system: what has been written so far is what there is to choose from.
 */
export const makeAgentNodes = (strategy: AgentStrategyName, deps: AgentDeps) => {
  // Of all nodes: equal statements of a question run once.
  const shareRuns = makeShareRuns()
  return <State extends AgentState, Update extends object>(work: AgentWork<State, Update>) =>
    async (state: State, run: NodeRun): Promise<Update & AgentUpdate> => {
      const { tools, used } = await openTools(strategy, { ...deps, shareRuns }, state, run)
      try {
        const update = await work(state, tools)
        return { ...update, ...used() }
      } catch (error) {
        run.signal?.throwIfAborted()
        if (!(error instanceof ModelError)) throw error
        const { code, message, limit } = error
        const failure = { path: strategy, sample: state.calls.length, message, code, ...(limit && { limit }) }
        // What a node was to change stays as it was.
        return { ...used(), halted: code, failures: [failure] } as unknown as Update & AgentUpdate
      }
    }
}

/** Follows a route unless the system was halted, which ends it. */
export const unlessHalted =
  <State extends AgentState, Route extends string, End extends string>(
    end: End,
    route: (state: State) => Route,
  ): ((state: State) => Route | End) =>
  state =>
    state.halted === null ? route(state) : end
