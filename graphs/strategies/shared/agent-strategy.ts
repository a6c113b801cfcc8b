import type { LangGraphRunnableConfig } from '@langchain/langgraph'
import type { AgentStrategyName } from '../../../src/domain/strategies/strategy.ts'
import type { NodeRun } from '../../answer/deps.ts'
import type { AskedQuestion } from '../../answer/state.ts'
import type { AgentState } from './agent-state.ts'

/** A published system that is ready to answer. */
export interface AgentStrategy {
  readonly name: AgentStrategyName
  /** Runs its graph for one attempt at a question. Throws only if the question is stopped, or if our own store is away. */
  run(task: { readonly question: AskedQuestion; readonly attempt: number }, run: NodeRun): Promise<AgentState>
}

/** A compiled graph whose state has at least the channels of `agentChannels`. */
interface AgentGraph {
  invoke(input: object, config: LangGraphRunnableConfig): Promise<unknown>
}

/** Super-steps of one run at most: more than any limit in the settings leads to. */
const MOST_STEPS = 200

/** Makes a strategy of its graph. Checkpoints of its steps are kept with those of the question. */
export const makeAgentStrategy = (name: AgentStrategyName, graph: AgentGraph): AgentStrategy => ({
  name,
  run: async (task, run) => {
    // What a node gets as its run is the configuration of the graph around it, with its checkpointer.
    const config = { ...(run as LangGraphRunnableConfig), recursionLimit: MOST_STEPS }
    return (await graph.invoke(task, config)) as AgentState
  },
})
