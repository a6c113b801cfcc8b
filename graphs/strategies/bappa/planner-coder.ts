import { END, START, StateGraph, StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import type { PlannerCoderSettings } from '../../../src/domain/strategies/bappa.ts'
import { makeAgentNodes, unlessHalted } from '../shared/agent-node.ts'
import { agentChannels } from '../shared/agent-state.ts'
import { type AgentStrategy, makeAgentStrategy } from '../shared/agent-strategy.ts'
import type { AgentDeps } from '../shared/agent-tools.ts'
import { askTogether, checkInTurn } from '../shared/ask-together.ts'
import { makeConclude } from '../shared/conclude.ts'
import { modelInTurn } from './given-answers.ts'

const PlannerCoderState = new StateSchema({
  ...agentChannels,
  plans: z.array(z.string()).default(() => []),
})

type State = typeof PlannerCoderState.State

/** A plan is shown to the coder up to this length, in characters. */
const LONGEST_PLAN = 4_000

/**
 * Planner and coder (BAPPA, section 3.2): one or several models that reason make plans, and another writes the statement by
 * them. As many model calls as there are planners, and one more.
 */
export const makePlannerCoder = (deps: AgentDeps, settings: PlannerCoderSettings): AgentStrategy => {
  const node = makeAgentNodes('planner-coder', deps)

  const plan = node(async (_: State, tools) => {
    const replies = await askTogether(
      Array.from({ length: settings.planners }, (_, at) => () => {
        const model = settings.plannerModels[at % Math.max(1, settings.plannerModels.length)]
        return tools.ask(
          {
            ...{
              agent: 'planner',
              role: 'planner',
              prompt: 'planner-coder/plan',
              reply: 'planner-coder-plan',
              model,
            },
            temperature: settings.plannerTemperature,
          },
          tools.describe({ seed: at }),
        )
      }),
    )
    const made = replies.flatMap(reply => reply ?? [])
    const [missing] = made.flatMap(one => (one.missing === '' ? [] : [one.missing]))
    // One plan is enough to try.
    if (missing !== undefined && made.every(one => one.missing !== ''))
      tools.declareMissing('planner', missing)
    return { plans: made.filter(one => one.missing === '').map(toText) }
  })

  const code = node(async ({ plans }: State, tools) => {
    const { sql, missing, assumptions } = await tools.ask(
      {
        ...{
          agent: 'coder',
          role: 'drafter',
          prompt: 'planner-coder/code',
          reply: 'planner-coder-statement',
        },
        model: settings.models.coder ?? modelInTurn([], deps.drafters, 0),
        temperature: settings.coderTemperature,
      },
      { ...tools.describe(), plans: plans.join('\n\n') },
    )
    if (sql === '') {
      tools.declareMissing('coder', missing)
      return {}
    }
    const id = await tools.draft({ sql, agent: 'coder', confidence: settings.confidence, assumptions })
    await checkInTurn([id], tools)
    return {}
  })

  const graph = new StateGraph(PlannerCoderState)
    .addNode('plan', plan)
    .addNode('code', code)
    .addNode('conclude', makeConclude(deps))
    .addEdge(START, 'plan')
    .addConditionalEdges(
      'plan',
      unlessHalted('conclude', ({ plans }: State) => (plans.length > 0 ? 'code' : 'conclude')),
      ['code', 'conclude'],
    )
    .addEdge('code', 'conclude')
    .addEdge('conclude', END)
    .compile()
  return makeAgentStrategy('planner-coder', graph)
}

const toText = ({ plan }: { readonly plan: readonly string[] }, at: number): string =>
  [`Plan ${at + 1}:`, ...plan.map((step, number) => `${number + 1}. ${step}`)]
    .join('\n')
    .slice(0, LONGEST_PLAN)
