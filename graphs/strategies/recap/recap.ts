import { END, START, StateGraph, StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import type { ModelRole } from '../../../src/domain/model.ts'
import type { LinkedSchema } from '../../../src/domain/question-context.ts'
import type { DialectTopic, RecapSettings } from '../../../src/domain/strategies/recap.ts'
import { makeAgentNodes, unlessHalted } from '../shared/agent-node.ts'
import { agentChannels, type Problem } from '../shared/agent-state.ts'
import { type AgentStrategy, makeAgentStrategy } from '../shared/agent-strategy.ts'
import type { AgentDeps, AgentTools } from '../shared/agent-tools.ts'
import { makeConcludeRecap } from './conclude-recap.ts'
import {
  describeExpected,
  describePlan,
  describeWork,
  type Fault,
  faultTexts,
  type RecapPlan,
  type Rejection,
  retrieveExamples,
  retrieveKnowledge,
  summarizeResult,
  wasTried,
} from './describe-work.ts'
import { describeDialectTopics } from './dialect-facts.ts'
import { errorTaxonomy } from './error-taxonomy.ts'
import { makeRecapRoutes } from './routes.ts'

const RecapState = new StateSchema({
  ...agentChannels,
  /** Null before there is one, and if the planner says that the schema cannot answer. */
  plan: z.custom<RecapPlan | null>().default(() => null),
  /** What the critic wants changed in the plan; null if nothing. */
  planCritique: z.string().nullable().default(null),
  planCritiques: z.number().default(0),
  topics: z.custom<readonly DialectTopic[]>().default(() => []),
  /** The schema as the linker opened it again; null as long as it did not. */
  linked: z.custom<LinkedSchema | null>().default(() => null),
  /** The statement that is worked on. */
  currentId: z.string().nullable().default(null),
  /** Candidates that only look at the data. */
  lookIds: z.custom<readonly string[]>().default(() => []),
  sqlCritique: z.string().default(''),
  problem: z.custom<Problem | null>().default(() => null),
  rejections: z.custom<readonly Rejection[]>().default(() => []),
  /** What was wrong with the last reply of an agent; it is told of it once. */
  fault: z.custom<Fault | null>().default(() => null),
  steps: z.number().default(0),
  /** Of the current statement. */
  refinements: z.number().default(0),
  acceptedId: z.string().nullable().default(null),
  isFinished: z.boolean().default(false),
})

/** The state as nodes and routes read it. */
export type RecapState = typeof RecapState.State

/**
 * ReCAPAgent-SQL (section 3.3): a plan that is reviewed before any SQL is written, actions one at a time, a review of every
 * statement, refinement by the kind of error, and a validator that looks at the result. Six calls if all goes well.
 */
export const makeRecap = (deps: AgentDeps, settings: RecapSettings): AgentStrategy => {
  const node = makeAgentNodes('recap', deps)
  const shownOf = ({ database }: AgentTools) => ({
    seesRows: deps.seesRows && !database.hidesValues,
    sampleRows: settings.sampleRows,
  })
  const routes = makeRecapRoutes(settings)

  const agent = (name: keyof typeof roles) => ({
    agent: name,
    role: roles[name],
    model: settings.models[name],
  })

  /** What every prompt about the question has, with what the retrievers found. */
  const describe = ({ linked, topics }: Pick<RecapState, 'linked' | 'topics'>, tools: AgentTools) => {
    const described = tools.describe(linked === null ? {} : { linked })
    return {
      about: { ...described, ...retrieveKnowledge(tools, described, settings) },
      facts: describeDialectTopics(tools.database.dialect, topics),
    }
  }

  const plan = node(async (state: RecapState, tools) => {
    const { about } = describe(state, tools)
    const { steps, columns, missing } = await tools.ask(
      { ...agent('planner'), prompt: 'recap/plan', reply: 'recap-plan' },
      {
        ...about,
        examples: await retrieveExamples(tools, settings),
        'earlier-plan': describePlan(state.plan),
        critique: state.planCritique ?? 'There is none.',
      },
    )
    if (steps.length > 0) return { plan: { steps, columns } }
    tools.declareMissing('planner', missing)
    return { plan: null }
  })

  const critiquePlan = node(async (state: RecapState, tools) => {
    const { about } = describe(state, tools)
    const { critique, revise } = await tools.ask(
      { ...agent('plan-critic'), prompt: 'recap/critique-plan', reply: 'recap-plan-critique' },
      { ...about, plan: describePlan(state.plan), columns: describeExpected(state.plan) },
    )
    return { planCritiques: state.planCritiques + 1, planCritique: revise ? critique : null }
  })

  const retrieveDialect = node(async ({ plan: made }: RecapState, tools) => {
    const { dialect, question } = tools.describe()
    const { topics } = await tools.ask(
      { ...agent('dialect-retriever'), prompt: 'recap/retrieve-dialect', reply: 'recap-dialect-topics' },
      { dialect, question, plan: describePlan(made) },
    )
    return { topics }
  })

  const act = node(async (state: RecapState, tools) => {
    const { about, facts } = describe(state, tools)
    const { action, sql, missing, assumptions } = await tools.ask(
      {
        ...agent('action'),
        prompt: 'recap/act',
        reply: 'recap-action',
        temperature: settings.temperature,
      },
      {
        ...{ ...about, facts },
        examples: await retrieveExamples(tools, settings),
        plan: describePlan(state.plan),
        columns: describeExpected(state.plan),
        actions: settings.looks ? 'answer, look or finish' : 'answer or finish',
        work: await describeWork(tools, state, shownOf(tools)),
        critique: state.sqlCritique || 'There is none.',
        notice: state.fault === null ? '' : faultTexts[state.fault],
        left: String(settings.steps - state.steps),
        'question-again': about.question,
      },
    )
    const steps = state.steps + 1
    if (action === 'finish') {
      if (missing !== '') tools.declareMissing('action', missing)
      return { steps, isFinished: true }
    }
    const isLook = action === 'look'
    const fault =
      isLook && !settings.looks
        ? 'malformed'
        : await faultOf(sql, isLook ? { ...state, lookIds: [] } : state, tools)
    if (fault !== null) return { steps, ...toldOf(fault, state) }
    const { confidence } = settings
    const currentId = isLook
      ? await tools.draft({ sql, agent: 'look', confidence: 0 })
      : await tools.draft({ sql, agent: 'action', confidence, assumptions })
    const lookIds = isLook ? [...state.lookIds, currentId] : state.lookIds
    return { steps, currentId, lookIds, fault: null, problem: null, refinements: 0 }
  })

  const critiqueSql = node(async (state: RecapState, tools) => {
    const { about, facts } = describe(state, tools)
    const written = await tools.candidate(state.currentId ?? '')
    const { flaws, sql } = await tools.ask(
      { ...agent('sql-critic'), prompt: 'recap/critique-sql', reply: 'recap-sql-critique' },
      {
        ...{ ...about, facts },
        plan: describePlan(state.plan),
        columns: describeExpected(state.plan),
        statement: written.sql,
      },
    )
    const isBetter = flaws !== '' && (await faultOf(sql, state, tools)) === null
    if (isBetter) await tools.revise(written.id, sql, { errorClass: 'other', message: flaws })
    return { sqlCritique: flaws }
  })

  const runStatement = node(async (state: RecapState, tools) => {
    const id = state.currentId ?? ''
    const problem = await tools.check(id)
    const isFine = problem === null || problem.errorClass === 'wrong-shape'
    const isAnswer = isFine && !settings.validator && !state.lookIds.includes(id)
    return { problem, acceptedId: isAnswer ? id : null }
  })

  const linkSchema = node(async ({ currentId, problem, linked }: RecapState, tools) => {
    if (problem === null) return {}
    return { linked: await tools.reopenSchema(currentId ?? '', problem, linked ?? tools.context.linked) }
  })

  const refine = node(async (state: RecapState, tools) => {
    const { about, facts } = describe(state, tools)
    const failed = await tools.candidate(state.currentId ?? '')
    const problem = state.problem ?? { errorClass: 'other', message: '' }
    const kind = errorTaxonomy[problem.errorClass]
    const { verdict, sql, missing, assumptions } = await tools.ask(
      { ...agent('refiner'), prompt: 'recap/refine', reply: 'recap-refinement' },
      {
        ...{ ...about, facts },
        plan: describePlan(state.plan),
        columns: describeExpected(state.plan),
        work: await describeWork(tools, state, shownOf(tools)),
        statement: failed.sql,
        error: kind?.name ?? '',
        hint: kind?.hint ?? '',
        message: problem.message,
        critique: state.sqlCritique || 'There is none.',
        notice: state.fault === null ? '' : faultTexts[state.fault],
        'question-again': about.question,
      },
    )
    const steps = state.steps + 1
    const hasRun = failed.run?.status === 'ran'
    if (verdict === 'keep' && hasRun) {
      const isAccepted = problem.errorClass === 'empty-result'
      return { steps, isFinished: true, acceptedId: isAccepted ? failed.id : null }
    }
    if (sql === '' && missing !== '') {
      tools.declareMissing('refiner', missing)
      return { steps, isFinished: true }
    }
    const fault = await faultOf(sql, state, tools)
    if (fault !== null) return { steps, ...toldOf(fault, state) }
    // What a statement found is kept: the next one may find less.
    if (!hasRun) await tools.revise(failed.id, sql, problem)
    const { confidence } = settings
    const currentId = hasRun
      ? await tools.draft({ sql, agent: 'refiner', confidence, assumptions })
      : failed.id
    return { steps, currentId, fault: null, problem: null, refinements: state.refinements + 1 }
  })

  const validate = node(async (state: RecapState, tools) => {
    const id = state.currentId ?? ''
    const { about } = describe(state, tools)
    const { sql } = await tools.candidate(id)
    const verdict = await tools.ask(
      { ...agent('validator'), prompt: 'recap/validate', reply: 'recap-verdict' },
      {
        dialect: about.dialect,
        evidence: about.evidence,
        time: about.time,
        question: about.question,
        columns: describeExpected(state.plan),
        statement: sql,
        result: summarizeResult(await tools.loadResult(id), shownOf(tools)),
        noticed: state.problem?.message ?? 'Nothing.',
      },
    )
    const { valid, unneeded, reason } = verdict
    if (valid && unneeded.length === 0) return { acceptedId: id, problem: null }
    const said = [verdict.problem || (valid ? '' : reason), ...unneeded.map(name => `${name} is not needed.`)]
    const message = said.filter(text => text !== '').join(' ')
    const problem: Problem = { errorClass: 'wrong-shape', message }
    return { problem, rejections: [...state.rejections, { id, problem: message }] }
  })

  const graph = new StateGraph(RecapState)
    .addNode('make-plan', plan)
    .addNode('critique-plan', critiquePlan)
    .addNode('retrieve-dialect', retrieveDialect)
    .addNode('act', act)
    .addNode('critique-sql', critiqueSql)
    .addNode('run-statement', runStatement)
    .addNode('link-schema', linkSchema)
    .addNode('refine', refine)
    .addNode('validate', validate)
    .addNode('conclude', makeConcludeRecap(deps, settings))
    .addEdge(START, 'make-plan')
    .addConditionalEdges('make-plan', routes.afterPlan, [
      'critique-plan',
      'retrieve-dialect',
      'act',
      'conclude',
    ])
    .addConditionalEdges('critique-plan', routes.afterPlanCritique, [
      'make-plan',
      'retrieve-dialect',
      'act',
      'conclude',
    ])
    .addConditionalEdges(
      'retrieve-dialect',
      unlessHalted('conclude', () => 'act'),
      ['act', 'conclude'],
    )
    .addConditionalEdges('act', routes.afterAct, ['act', 'critique-sql', 'run-statement', 'conclude'])
    // A review that failed leaves the statement as it was.
    .addEdge('critique-sql', 'run-statement')
    .addConditionalEdges('run-statement', routes.afterRun, [
      'act',
      'validate',
      'link-schema',
      'refine',
      'conclude',
    ])
    .addEdge('link-schema', 'refine')
    .addConditionalEdges('refine', routes.afterRefine, [
      'refine',
      'critique-sql',
      'run-statement',
      'conclude',
    ])
    .addConditionalEdges('validate', routes.afterValidate, ['act', 'refine', 'conclude'])
    .addEdge('conclude', END)
    .compile()
  return makeAgentStrategy('recap', graph)
}

const roles = {
  planner: 'planner',
  'plan-critic': 'judge',
  'dialect-retriever': 'planner',
  action: 'drafter',
  'sql-critic': 'judge',
  refiner: 'fixer',
  validator: 'judge',
} as const satisfies Record<string, ModelRole>

/** What keeps a statement from being run: there is none, or it was tried before as an answer. */
const faultOf = async (
  sql: string,
  { candidateIds, lookIds }: Pick<RecapState, 'candidateIds' | 'lookIds'>,
  tools: AgentTools,
): Promise<Fault | null> => {
  if (sql.trim() === '') return 'malformed'
  const answers = candidateIds.filter(id => !lookIds.includes(id))
  return (await wasTried(sql, answers, tools)) ? 'repeated' : null
}

/** An agent is told once; after a second fault in a row, nothing better is to be expected. */
const toldOf = (fault: Fault, { fault: last }: Pick<RecapState, 'fault'>) => ({
  fault,
  isFinished: last !== null,
})
