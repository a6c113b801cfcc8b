import { END, START, StateGraph, StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import type { CoderAggregatorSettings } from '../../../src/domain/strategies/bappa.ts'
import { makeAgentNodes, unlessHalted } from '../shared/agent-node.ts'
import { agentChannels } from '../shared/agent-state.ts'
import { type AgentStrategy, makeAgentStrategy } from '../shared/agent-strategy.ts'
import type { AgentDeps } from '../shared/agent-tools.ts'
import { askTogether, checkInTurn, personas } from '../shared/ask-together.ts'
import { makeConclude } from '../shared/conclude.ts'
import { describeAnswers, type GivenAnswer, keepAnswer, modelInTurn } from './given-answers.ts'

const CoderAggregatorState = new StateSchema({
  ...agentChannels,
  answers: z.custom<readonly GivenAnswer[]>().default(() => []),
  /** The aggregator's candidate; null before it has one. */
  finalId: z.string().nullable().default(null),
})

type State = typeof CoderAggregatorState.State

/**
 * Coders and aggregator (BAPPA, section 3.3): several models write statements with their reasoning, and one that reasons
 * makes the final statement of them. As many model calls as there are coders, and one more.
 */
export const makeCoderAggregator = (deps: AgentDeps, settings: CoderAggregatorSettings): AgentStrategy => {
  const node = makeAgentNodes('coder-aggregator', deps)
  const { confidence } = settings

  const code = node(async (_: State, tools) => {
    const names = Array.from({ length: settings.coders }, (_, at) => `coder-${at + 1}`)
    const replies = await askTogether(
      names.map((agent, at) => () => {
        const persona = settings.personas ? (personas[at % personas.length]?.text ?? '') : ''
        return tools.ask(
          {
            ...{ agent, role: 'drafter', prompt: 'coder-aggregator/code', reply: 'coder-aggregator-draft' },
            model: modelInTurn(settings.coderModels, deps.drafters, at),
            temperature: settings.coderTemperature,
          },
          { ...tools.describe({ seed: at }), persona },
        )
      }),
    )
    const answers: GivenAnswer[] = []
    for (const [at, reply] of replies.entries())
      if (reply)
        answers.push(await keepAnswer(reply, { agent: names[at] ?? '', confidence, sample: at }, tools))
    return { answers }
  })

  const aggregate = node(async ({ answers }: State, tools) => {
    const { sql, missing, assumptions } = await tools.ask(
      {
        ...{
          agent: 'aggregator',
          role: 'planner',
          prompt: 'coder-aggregator/aggregate',
          reply: 'coder-aggregator-final',
        },
        model: settings.models.aggregator,
        temperature: settings.aggregatorTemperature,
      },
      { ...tools.describe(), answers: await describeAnswers(answers, tools) },
    )
    if (sql === '') {
      tools.declareMissing('aggregator', missing)
      return {}
    }
    return { finalId: await tools.draft({ sql, agent: 'aggregator', confidence, assumptions }) }
  })

  const check = node(async ({ answers, finalId, cannotAnswer }: State, tools) => {
    // The aggregator's word counts, also if it is that the database cannot answer.
    if (cannotAnswer.length > 0) return {}
    const coded = answers.flatMap(({ candidateId }) => candidateId ?? [])
    await checkInTurn([...(finalId === null ? [] : [finalId]), ...coded], tools)
    return {}
  })

  const graph = new StateGraph(CoderAggregatorState)
    .addNode('code', code)
    .addNode('aggregate', aggregate)
    .addNode('check', check)
    .addNode('conclude', makeConclude(deps))
    .addEdge(START, 'code')
    .addConditionalEdges(
      'code',
      unlessHalted('check', () => 'aggregate'),
      ['aggregate', 'check'],
    )
    .addEdge('aggregate', 'check')
    .addEdge('check', 'conclude')
    .addEdge('conclude', END)
    .compile()
  return makeAgentStrategy('coder-aggregator', graph)
}
