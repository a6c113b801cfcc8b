import { END, START, StateGraph, StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import type { AgentNlqSettings } from '../../../src/domain/strategies/agent-nlq.ts'
import { describeResult } from '../../answer/comparison/judge-request.ts'
import { describeExamples } from '../../answer/drafting/prompt-inputs.ts'
import { problemTexts } from '../../answer/repair/fix-with-model.ts'
import { makeAgentNodes, unlessHalted } from '../shared/agent-node.ts'
import { agentChannels } from '../shared/agent-state.ts'
import { type AgentStrategy, makeAgentStrategy } from '../shared/agent-strategy.ts'
import type { AgentDeps, AgentTools } from '../shared/agent-tools.ts'
import { allTables } from '../shared/all-tables.ts'
import { groupByResult } from '../shared/conclude.ts'
import { renderBare, renderEnriched } from './enriched-schema.ts'
import {
  type Attempt,
  type Author,
  bestCandidate,
  describeProgress,
  isConfirmation,
} from './progress-ledger.ts'
import { describeTaskLedger, ledgerWithoutPlan, schemaOfLedger } from './task-ledger.ts'

const AgentNlqState = new StateSchema({
  ...agentChannels,
  /** The task ledger, written once; null if none is made. */
  ledger: z.string().nullable().default(null),
  /** The tables that it names. */
  tables: z.array(z.string()).default([]),
  /** The progress ledger, oldest attempt first. */
  attempts: z.custom<readonly Attempt[]>().default(() => []),
  /** How likely the judge takes the answer to be right, 0 to 1; null if it was not asked. */
  judged: z.number().nullable().default(null),
})

type State = typeof AgentNlqState.State

/**
 * AgentNLQ (Bogdanov et al., sections 3.3.3 to 3.3.9): a task ledger is made once; a fast loop writes statements by it and
 * is told what the database says of them; then a slow generator takes over, which sees everything. Two calls for a straight
 * question, at most one more than there are attempts, and one for the judge if it is on.
 */
export const makeAgentNlq = (deps: AgentDeps, settings: AgentNlqSettings): AgentStrategy => {
  const node = makeAgentNodes('agent-nlq', deps)
  const { confidence, temperature, models } = settings
  const agent = <Name extends keyof typeof roles>(name: Name) =>
    ({ agent: name, role: roles[name], model: models[name], temperature }) as const

  const plan = node(async (_: State, tools) => {
    const { evidence, values, time, question } = tools.describe({ linked: wholeSchema(tools) })
    const ledger = await tools.ask(
      { ...agent('planner'), prompt: 'agent-nlq/plan', reply: 'agent-nlq-ledger' },
      { schema: fullSchema(tools), evidence, values, time, question, 'question-again': question },
    )
    if (ledger.missing !== '') tools.declareMissing('planner', ledger.missing)
    return { ledger: describeTaskLedger(ledger), tables: ledger.tables }
  })

  const emit = node(async (state: State, tools) => {
    const { dialect, schema, question } = tools.describe({ linked: ledgerSchema(state, tools) })
    const { sql, assumptions } = await tools.ask(
      { ...agent('fast'), prompt: 'agent-nlq/emit', reply: 'agent-nlq-emission' },
      { ...{ dialect, schema, question }, ...(await ledgers(state, tools)), 'question-again': question },
    )
    return { attempts: [...state.attempts, await keepAttempt('fast', { sql, assumptions }, state, tools)] }
  })

  const generate = node(async (state: State, tools) => {
    const { dialect, evidence, values, time, question } = tools.describe({ linked: wholeSchema(tools) })
    const examples = settings.shots === 0 ? [] : await tools.findExamples()
    const { sql, missing, assumptions } = await tools.ask(
      { ...agent('slow'), prompt: 'agent-nlq/generate', reply: 'agent-nlq-generation' },
      {
        ...{ dialect, schema: fullSchema(tools), evidence, values, time, question },
        examples: describeExamples(examples.slice(0, settings.shots)),
        ...(await ledgers(state, tools)),
        'question-again': question,
      },
    )
    if (sql === '') {
      tools.declareMissing('slow', missing)
      return {}
    }
    return { attempts: [...state.attempts, await keepAttempt('slow', { sql, assumptions }, state, tools)] }
  })

  const validate = node(async ({ attempts }: State, tools) => {
    const latest = attempts.at(-1)
    if (!latest?.candidateId) return {}
    const problem = await tools.check(latest.candidateId)
    return { attempts: [...attempts.slice(0, -1), { ...latest, problem }] }
  })

  const judgeAnswer = node(async (state: State, tools) => {
    const id = bestCandidate(state.attempts) ?? ''
    const { sql } = await tools.candidate(id)
    const described = tools.describe({ linked: ledgerSchema(state, tools) })
    const { code, score } = await tools.ask(
      { ...agent('judge'), prompt: 'agent-nlq/judge', reply: 'agent-nlq-judgement' },
      {
        ...described,
        statement: sql,
        result: describeResult(await tools.loadResult(id), deps),
        'question-again': described.question,
      },
    )
    // A high score beside a bad code is how sure the judge is of the code.
    const most = code === 'correct' || code === 'partial' ? 100 : 50
    return { judged: Math.min(score, most) / 100 }
  })

  const conclude = async ({ question, attempts, candidateIds, cannotAnswer, judged }: State) => {
    const best = bestCandidate(attempts)
    // The last word counts, also if it is that the database cannot answer.
    if (best === null || cannotAnswer.length > 0) return { groups: [] }
    const candidates = await deps.storing.runStore.loadCandidates(question.id)
    const own = candidates.filter(({ id }) => candidateIds.includes(id))
    const groups = groupByResult(own, ({ id }) => (id === best ? (judged ?? confidence) : 0))
    // What was tried on the way is no other answer.
    return { groups: groups.filter(({ candidateIds }) => candidateIds.includes(best)) }
  }

  const wholeSchema = ({ database, context }: AgentTools) => allTables(database.catalog, context.linked)

  const ledgerSchema = ({ tables }: State, tools: AgentTools) =>
    schemaOfLedger(tables, tools.database.catalog, wholeSchema(tools))

  const fullSchema = (tools: AgentTools): string =>
    (settings.enrichedMetadata ? renderEnriched : renderBare)(
      tools.database.catalog,
      wholeSchema(tools),
      deps.renderings.markdown,
    )

  const ledgers = async ({ ledger, attempts }: State, tools: AgentTools) => ({
    ledger: ledger ?? ledgerWithoutPlan(tools.describe({ linked: wholeSchema(tools) })),
    progress: describeProgress(attempts, await statementsOf(attempts, tools), {
      pruned: settings.prunedHistory,
    }),
  })

  /** The entry of a statement that has not run yet; one that was written before is not run again. */
  const keepAttempt = async (
    by: Author,
    { sql, assumptions }: { readonly sql: string; readonly assumptions: readonly string[] },
    { attempts }: State,
    tools: AgentTools,
  ): Promise<Attempt> => {
    if (sql === '') return { by, candidateId: null, problem: null, repeats: null }
    const statements = await statementsOf(attempts, tools)
    const at = attempts.findIndex(({ candidateId }) => isSame(statements.get(candidateId ?? ''), sql))
    const same = attempts[at]
    if (same !== undefined) return { ...same, by, repeats: at + 1 }
    const id = await tools.draft({ sql, agent: by, confidence, assumptions, sample: attempts.length })
    return { by, candidateId: id, problem: null, repeats: null }
  }

  const nextAuthor = nextAuthorBy(settings)

  const finish = (state: State): 'judge-answer' | 'conclude' =>
    settings.judge && bestCandidate(state.attempts) !== null ? 'judge-answer' : 'conclude'

  const afterPlan = (state: State) => (state.cannotAnswer.length > 0 ? 'conclude' : nextAuthor(state))

  const afterWriting = (state: State) => {
    const latest = state.attempts.at(-1)
    if (latest === undefined || state.cannotAnswer.length > 0) return 'conclude'
    if (isConfirmation(latest)) return finish(state)
    if (latest.candidateId !== null && latest.repeats === null) return 'validate'
    return state.attempts.length < settings.attempts ? nextAuthor(state) : finish(state)
  }

  const afterValidating = (state: State) => {
    const problem = state.attempts.at(-1)?.problem ?? null
    const isCurable = problem !== null && problemTexts[problem.errorClass] !== null
    return isCurable && state.attempts.length < settings.attempts ? nextAuthor(state) : finish(state)
  }

  const writers = ['emit', 'generate'] as const
  const graph = new StateGraph(AgentNlqState)
    .addNode('plan', plan)
    .addNode('emit', emit)
    .addNode('generate', generate)
    .addNode('validate', validate)
    .addNode('judge-answer', judgeAnswer)
    .addNode('conclude', conclude)
    .addConditionalEdges(START, (state: State) => (settings.taskLedger ? 'plan' : nextAuthor(state)), [
      'plan',
      ...writers,
    ])
    .addConditionalEdges('plan', unlessHalted('conclude', afterPlan), [...writers, 'conclude'])
    .addConditionalEdges('emit', unlessHalted('conclude', afterWriting), [
      ...writers,
      'validate',
      'judge-answer',
      'conclude',
    ])
    .addConditionalEdges('generate', unlessHalted('conclude', afterWriting), [
      ...writers,
      'validate',
      'judge-answer',
      'conclude',
    ])
    .addConditionalEdges('validate', unlessHalted('conclude', afterValidating), [
      ...writers,
      'judge-answer',
      'conclude',
    ])
    .addEdge('judge-answer', 'conclude')
    .addEdge('conclude', END)
    .compile()
  return makeAgentStrategy('agent-nlq', graph)
}

/** The planner and the fast loop are one orchestrator (section 3.3.6), and ask the model of one role. */
const roles = { planner: 'planner', fast: 'planner', slow: 'drafter', judge: 'judge' } as const

/** The slow generator takes over after the fast loop's attempts, or once the fast loop hands over. */
const nextAuthorBy =
  ({ fastAttempts }: AgentNlqSettings) =>
  ({ attempts }: State): 'emit' | 'generate' =>
    attempts.length < fastAttempts && attempts.every(({ candidateId }) => candidateId !== null)
      ? 'emit'
      : 'generate'

const statementsOf = async (
  attempts: readonly Attempt[],
  tools: AgentTools,
): Promise<ReadonlyMap<string, string>> => {
  const ids = [...new Set(attempts.flatMap(({ candidateId }) => candidateId ?? []))]
  return new Map(await Promise.all(ids.map(async id => [id, (await tools.candidate(id)).sql] as const)))
}

const isSame = (before: string | undefined, now: string): boolean =>
  before !== undefined && onOneLine(before) === onOneLine(now)

const onOneLine = (sql: string): string =>
  sql
    .replaceAll(/\s+/g, ' ')
    .replace(/[ ;]+$/, '')
    .trim()
