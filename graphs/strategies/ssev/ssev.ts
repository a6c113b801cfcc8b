import { END, Send, START, StateGraph, StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import { type Catalog, nameTables } from '../../../src/domain/catalog.ts'
import type { Database } from '../../../src/domain/database.ts'
import { ModelError } from '../../../src/domain/errors.ts'
import type { LinkedSchema, WidenSchema } from '../../../src/domain/question-context.ts'
import type { SsevSettings } from '../../../src/domain/strategies/ssev.ts'
import { mapInParallel } from '../../../src/lib/concurrency.ts'
import { describeExamples } from '../../answer/drafting/prompt-inputs.ts'
import { problemTexts } from '../../answer/repair/fix-with-model.ts'
import { namesIn } from '../../answer/repair/named-schema.ts'
import { readStatement } from '../../answer/repair/statement.ts'
import { makeAgentNodes } from '../shared/agent-node.ts'
import { agentChannels, listChannel, type Problem } from '../shared/agent-state.ts'
import { type AgentStrategy, makeAgentStrategy } from '../shared/agent-strategy.ts'
import type { AgentDeps, AgentTools } from '../shared/agent-tools.ts'
import { allTables } from '../shared/all-tables.ts'
import { type Expert, expertsOf } from './experts.ts'
import { describeSampleRows, makeRememberSamples, readSampleRows } from './sample-rows.ts'
import { answersOf, drawFor, type ExpertStatement, groupsOfVote, roundOf } from './vote.ts'

const SsevState = new StateSchema({
  ...agentChannels,
  /** How often each expert was wrong, as it was known when the question was asked: the vote is by these. */
  mistakes: z.record(z.string(), z.number()).default({}),
  /** The number that `rwma` draws an expert with. */
  draw: z.number().default(0),
  /** What the first statements use; null while the experts are shown the whole schema. */
  linked: z.custom<LinkedSchema | null>().default(() => null),
  statements: listChannel<ExpertStatement>(),
  /** Statements that were run, as `#` and the number of repairs behind their candidate. */
  ran: listChannel<string>(),
  /** What is to be mended, by candidate. */
  problems: z.custom<Readonly<Record<string, Problem>>>().default(() => ({})),
  /** Experts that are not asked any more: their model failed, or they say that the schema cannot answer. */
  silent: listChannel<string>(),
})

type State = typeof SsevState.State

/** A branch of one expert, and of one of its statements if that is to be mended. */
type Branch = State & { readonly expert: Expert; readonly candidateId?: string }

/** Statements that are run at a time. */
const AT_A_TIME = 3

/**
 * SSEV (section 3.1 and 3.2 of its paper): every expert writes a statement on the whole schema, then another on the part
 * that the first ones use; what fails or finds nothing is mended by its expert; the experts vote with weights that shrink
 * with every mistake. Two calls an expert, and those to mend.
 */
export const makeSsev = (deps: AgentDeps, settings: SsevSettings): AgentStrategy => {
  const node = makeAgentNodes('ssev', deps)
  const experts = expertsOf(settings, deps.drafters)
  const epsilon = settings.epsilon ?? deps.experts.bestEpsilon(experts.length, settings.expectedQuestions)
  const rememberSamples = makeRememberSamples()

  const recallMistakes = node(async ({ question, attempt }: State) => {
    const known = settings.learns ? await deps.experts.records.listMistakes() : new Map<string, number>()
    const own = experts.flatMap(({ name }) => (known.has(name) ? [[name, known.get(name) ?? 0]] : []))
    return { mistakes: Object.fromEntries(own), draw: drawFor(question.id, attempt, settings.vote) }
  })

  const writeStatement = node(async (branch: Branch, tools) => {
    const { expert, linked } = branch
    const round = linked === null ? 'first' : 'second'
    const agent = round === 'first' ? 'PreSQL' : 'PostSQL'
    try {
      const { sql, missing, assumptions } = await tools.ask(
        { agent, role: 'drafter', prompt: 'ssev/write-sql', reply: 'ssev-statement', ...asked(expert) },
        await variablesFor(branch, tools),
      )
      if (missing !== '' || sql === '') {
        tools.declareMissing(agent, missing)
        return { silent: [expert.name] }
      }
      const sample = experts.findIndex(({ name }) => name === expert.name)
      const { confidence } = settings
      const candidateId = await tools.draft({ sql, agent, sample, confidence, assumptions })
      return { statements: [{ expert: expert.name, round, candidateId } as const] }
    } catch (error) {
      return { silent: [expert.name], ...failureOf(error, branch, tools) }
    }
  })

  const runStatements = node(async ({ statements, ran }: State, tools) => {
    const candidates = (await tools.candidates()).filter(({ id, repairs }) =>
      statements.some(({ candidateId }) => candidateId === id && !ran.includes(`${id}#${repairs.length}`)),
    )
    const problems = await mapInParallel(candidates, AT_A_TIME, async ({ id, repairs }) => {
      const problem = await tools.check(id)
      const isOver = repairs.length >= settings.refinements
      return problem === null || isOver || !isMendable(problem) ? [] : [[id, problem] as const]
    })
    return {
      ran: candidates.map(({ id, repairs }) => `${id}#${repairs.length}`),
      problems: Object.fromEntries(problems.flat()),
    }
  })

  const refineStatement = node(async (branch: Branch, tools) => {
    const { expert, problems, candidateId = '' } = branch
    const failed = await tools.candidate(candidateId)
    const problem = problems[candidateId]
    if (problem === undefined) return {}
    try {
      const { sql } = await tools.ask(
        {
          ...{ agent: 'refiner', role: 'fixer', prompt: 'ssev/refine-sql', reply: 'ssev-refinement' },
          ...asked(expert),
        },
        {
          ...(await variablesFor(branch, tools)),
          statement: failed.sql,
          problem: problemTexts[problem.errorClass] ?? '',
          message: problem.message,
        },
      )
      // The same statement, or none, would only fail again.
      if (sql !== '' && sql !== failed.sql) await tools.revise(candidateId, sql, problem)
      return {}
    } catch (error) {
      return failureOf(error, branch, tools)
    }
  })

  const linkSchema = node(async (state: State, tools) => {
    const candidates = await tools.candidates()
    const answers = answersOf(experts, state.statements, candidates)
    const chosen = settings.linking === 'vote' ? voteOf(state, answers) : null
    const isUsed = ({ expert }: ExpertStatement): boolean =>
      chosen === null || answers.get(expert)?.key === chosen.key
    const used = new Set(state.statements.filter(isUsed).map(({ candidateId }) => candidateId))
    const statements = candidates.filter(({ id }) => used.has(id)).map(({ sql }) => sql)
    const touched = touchedSchema(statements, tools.database, deps.linking.widenSchema)
    return { linked: touched ?? tools.context.linked }
  })

  const vote = node(async (state: State, tools) => {
    const candidates = await tools.candidates()
    const answers = answersOf(experts, state.statements, candidates)
    const chosen = voteOf(state, answers)
    // Without a result, what failed last says whether the question is read without a model.
    if (chosen === null) return { halted: state.failures.at(-1)?.code ?? null }
    if (settings.learns) await deps.experts.records.saveRound(roundOf(state.question.id, answers))
    return { groups: groupsOfVote(chosen, answers, { ...deps.experts, ...settings, candidates }) }
  })

  const asked = ({ model }: Expert) => ({ model, temperature: settings.temperature })

  const voteOf = ({ mistakes, draw }: State, answers: ReturnType<typeof answersOf>) =>
    deps.experts.choose({
      ...{ answers, epsilon, draw, vote: settings.vote },
      mistakes: new Map(Object.entries(mistakes)),
    })

  const variablesFor = async ({ question, linked, expert }: Branch, tools: AgentTools) => {
    const { catalog } = tools.database
    const whole = allTables(catalog, tools.context.linked)
    const shown = linked ?? whole
    const rows = deps.seesRows && !tools.database.hidesValues ? settings.sampleRows : 0
    const read = () => readSampleRows(tools.database, whole, { rows, ...signalOf(tools) })
    const samples = rows === 0 ? new Map() : await rememberSamples(question.id, read)
    return {
      ...tools.describe({ linked: shown }),
      rows: describeSampleRows(samples, shown),
      style: expert.style,
      shots: describeExamples(settings.shots === 0 ? [] : await tools.findNearest(settings.shots)),
    }
  }

  /** One branch an expert that can still be asked. */
  const toExperts = (state: State): Send[] =>
    experts
      .filter(({ name }) => !state.silent.includes(name))
      .map(expert => new Send('write-statement', { ...state, expert } satisfies Branch))

  const afterRunning = (state: State): Send[] | 'link-schema' | 'vote' => {
    const failed = state.statements.filter(({ candidateId }) => state.problems[candidateId] !== undefined)
    if (failed.length > 0)
      return failed.flatMap(({ expert: name, candidateId }) => {
        const expert = experts.find(one => one.name === name)
        return expert
          ? [new Send('refine-statement', { ...state, expert, candidateId } satisfies Branch)]
          : []
      })
    const canGoOn = state.statements.some(({ expert }) => !state.silent.includes(expert))
    return settings.linking !== 'none' && state.linked === null && canGoOn ? 'link-schema' : 'vote'
  }

  const graph = new StateGraph(SsevState)
    .addNode('recall-mistakes', recallMistakes)
    .addNode('write-statement', writeStatement)
    .addNode('run-statements', runStatements)
    .addNode('refine-statement', refineStatement)
    .addNode('link-schema', linkSchema)
    .addNode('vote', vote)
    .addEdge(START, 'recall-mistakes')
    .addConditionalEdges('recall-mistakes', toExperts, ['write-statement'])
    .addEdge('write-statement', 'run-statements')
    .addConditionalEdges('run-statements', afterRunning, ['refine-statement', 'link-schema', 'vote'])
    .addEdge('refine-statement', 'run-statements')
    .addConditionalEdges('link-schema', toExperts, ['write-statement'])
    .addEdge('vote', END)
    .compile()
  return makeAgentStrategy('ssev', graph)
}

/** A statement that fails or finds nothing is mended (section 3.1.3); an odd result is not looked at. */
const isMendable = ({ errorClass }: Problem): boolean =>
  errorClass !== 'wrong-shape' && problemTexts[errorClass] !== null

const signalOf = ({ signal }: AgentTools) => (signal === undefined ? {} : { signal })

/** What is noted of an expert whose model failed: the others go on without it. A stop ends all of them. */
const failureOf = (error: unknown, { calls, expert }: Branch, { signal }: AgentTools) => {
  signal?.throwIfAborted()
  if (!(error instanceof ModelError)) throw error
  const { code, message, limit } = error
  const failure = {
    ...{ path: 'ssev', sample: calls.length, message: `${expert.name}: ${message}`, code },
    ...(limit && { limit }),
  }
  return { failures: [failure] }
}

/**
 * The union of the tables and columns that statements use (SSEV 3.1.1), read off their trees, with the keys of the tables
 * and those that join them. A table of which no column is named is kept whole. Null if no statement can be read or none
 * names anything that exists.
 */
export const touchedSchema = (
  statements: readonly string[],
  database: Pick<Database, 'dialect' | 'catalog' | 'findValues'>,
  widenSchema: WidenSchema,
): LinkedSchema | null => {
  const { catalog } = database
  const wanted = statements.flatMap(sql => {
    const statement = readStatement(sql, database)
    return statement === null || statement.scopes.length === 0 ? [] : namesIn(statement)
  })
  const touched = widenSchema({ catalog, linked: { tables: [] }, wanted })
  return touched.tables.length === 0 ? null : withPrimaryKeys(touched, catalog)
}

const withPrimaryKeys = ({ tables }: LinkedSchema, catalog: Pick<Catalog, 'tables'>): LinkedSchema => {
  const byName = new Map([...nameTables(catalog)].map(([table, name]) => [name, table]))
  return {
    tables: tables.map(({ table, keep }) => {
      const known = byName.get(table)
      if (keep === 'all' || known === undefined) return { table, keep }
      const kept = new Set([...keep, ...known.primaryKey])
      return { table, keep: known.columns.map(({ name }) => name).filter(name => kept.has(name)) }
    }),
  }
}
