import { END, START, StateGraph, StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import type { DiscussionSettings } from '../../../src/domain/strategies/bappa.ts'
import { makeAgentNodes, unlessHalted } from '../shared/agent-node.ts'
import { agentChannels } from '../shared/agent-state.ts'
import { type AgentStrategy, makeAgentStrategy } from '../shared/agent-strategy.ts'
import type { AgentDeps, AgentTools } from '../shared/agent-tools.ts'
import { askTogether, checkInTurn, personas } from '../shared/ask-together.ts'
import { makeConclude } from '../shared/conclude.ts'
import { cutReasoning, describeAnswers, type GivenAnswer, keepAnswer, modelInTurn } from './given-answers.ts'

const DiscussionState = new StateSchema({
  ...agentChannels,
  /** The latest answer of each persona that has one. */
  answers: z.custom<readonly GivenAnswer[]>().default(() => []),
  /** Candidates of the judge, oldest first. */
  verdicts: z.array(z.string()).default(() => []),
  round: z.number().default(0),
})

type State = typeof DiscussionState.State

/**
 * Multi-agent discussion (BAPPA, section 3.1): three personas answer, then revise their answers in sight of the others',
 * and a judge makes one statement of the three at the end of each round. The last verdict is the answer. With three
 * rounds, 3 + 3 * (3 + 1) model calls.
 */
export const makeDiscussion = (deps: AgentDeps, settings: DiscussionSettings): AgentStrategy => {
  const node = makeAgentNodes('discussion', deps)
  const { confidence, temperature } = settings

  /** Every persona answers once; one whose model fails stays silent, and keeps what it said before. */
  const hearPersonas = async (
    before: readonly GivenAnswer[],
    round: number,
    tools: AgentTools,
    isFirst: boolean,
  ): Promise<readonly GivenAnswer[]> => {
    const replies = await askTogether(
      personas.map(({ name, text }, at) => async () => {
        const others = before.filter(({ agent }) => agent !== name)
        const own = before.find(({ agent }) => agent === name)
        const model = modelInTurn(settings.personaModels, deps.drafters, at)
        const asked = {
          agent: name,
          role: 'drafter',
          reply: 'discussion-answer',
          model,
          temperature,
        } as const
        return isFirst
          ? tools.ask({ ...asked, prompt: 'discussion/start' }, { ...tools.describe(), persona: text })
          : tools.ask(
              { ...asked, prompt: 'discussion/discuss' },
              {
                ...tools.describe(),
                persona: text,
                own: await describeAnswers(own ? [own] : [], tools),
                others: await describeAnswers(others, tools),
              },
            )
      }),
    )
    return Promise.all(
      personas.map(async ({ name }, at) => {
        const reply = replies[at]
        const last = before.find(({ agent }) => agent === name)
        if (!reply) return last ?? silent(name)
        return keepAnswer(reply, { agent: name, confidence, sample: round * personas.length + at }, tools)
      }),
    )
  }

  const start = node(async (_: State, tools) => ({ answers: await hearPersonas([], 0, tools, true) }))

  const discuss = node(async ({ answers, round }: State, tools) => ({
    answers: await hearPersonas(answers, round + 1, tools, false),
    round: round + 1,
  }))

  const judge = node(async ({ answers, verdicts, round }: State, tools) => {
    const { merits, sql, missing, assumptions } = await tools.ask(
      {
        agent: 'judge',
        role: 'judge',
        prompt: 'discussion/judge',
        reply: 'discussion-verdict',
        model: settings.models.judge,
      },
      { ...tools.describe(), answers: await describeAnswers(answers, tools) },
    )
    const isLast = round >= settings.rounds
    if (sql === '') {
      if (isLast) tools.declareMissing('judge', missing === '' ? cutReasoning(merits) : missing)
      return {}
    }
    const id = await tools.draft({ sql, agent: 'judge', confidence, assumptions, sample: round })
    return { verdicts: [...verdicts, id] }
  })

  const checkVerdicts = node(async ({ answers, verdicts, cannotAnswer }: State, tools) => {
    // The last word counts, also if it is that the database cannot answer.
    if (cannotAnswer.length > 0) return {}
    const said = answers.flatMap(({ candidateId }) => candidateId ?? [])
    // Without a verdict, because the judge failed, what the personas said last is better than nothing.
    await checkInTurn(verdicts.length > 0 ? verdicts.toReversed() : said, tools)
    return {}
  })

  const graph = new StateGraph(DiscussionState)
    .addNode('start-agents', start)
    .addNode('discuss', discuss)
    .addNode('judge', judge)
    .addNode('check-verdicts', checkVerdicts)
    .addNode('conclude', makeConclude(deps))
    .addEdge(START, 'start-agents')
    .addConditionalEdges(
      'start-agents',
      unlessHalted('check-verdicts', () => 'discuss'),
      ['discuss', 'check-verdicts'],
    )
    .addConditionalEdges(
      'discuss',
      unlessHalted('check-verdicts', ({ round }: State) =>
        settings.judgeEachRound || round >= settings.rounds ? 'judge' : 'discuss',
      ),
      ['judge', 'discuss', 'check-verdicts'],
    )
    .addConditionalEdges(
      'judge',
      unlessHalted('check-verdicts', ({ round }: State) =>
        round < settings.rounds ? 'discuss' : 'check-verdicts',
      ),
      ['discuss', 'check-verdicts'],
    )
    .addEdge('check-verdicts', 'conclude')
    .addEdge('conclude', END)
    .compile()
  return makeAgentStrategy('discussion', graph)
}

const silent = (agent: string): GivenAnswer => ({ agent, candidateId: null, reasoning: '' })
