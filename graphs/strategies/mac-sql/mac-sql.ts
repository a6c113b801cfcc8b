import { END, START, StateGraph, StateSchema } from '@langchain/langgraph'
import { z } from 'zod'
import type { LinkedSchema } from '../../../src/domain/question-context.ts'
import type { MacSqlSettings } from '../../../src/domain/strategies/mac-sql.ts'
import { problemTexts } from '../../answer/repair/fix-with-model.ts'
import { makeAgentNodes, unlessHalted } from '../shared/agent-node.ts'
import { agentChannels, type Problem } from '../shared/agent-state.ts'
import { type AgentStrategy, makeAgentStrategy } from '../shared/agent-strategy.ts'
import type { AgentDeps, AgentTools } from '../shared/agent-tools.ts'
import { allTables } from '../shared/all-tables.ts'
import { makeConclude } from '../shared/conclude.ts'
import { applySelection, isLargeSchema } from './cut-schema.ts'

const MacSqlState = new StateSchema({
  ...agentChannels,
  /** What the selector kept; null as long as nothing was cut. */
  kept: z.custom<LinkedSchema | null>().default(() => null),
  /** The one candidate; null before the decomposer has written it. */
  candidateId: z.string().nullable().default(null),
  problem: z.custom<Problem | null>().default(() => null),
  refinements: z.number().default(0),
})

type State = typeof MacSqlState.State

/**
 * MAC-SQL (Wang et al. 2024, section 3 and Algorithm 1): a selector cuts a large schema, a decomposer answers progressive
 * sub-questions up to the question itself, and a refiner mends the statement while it fails or finds nothing. Two to five
 * model calls.
 */
export const makeMacSql = (deps: AgentDeps, settings: MacSqlSettings): AgentStrategy => {
  const node = makeAgentNodes('mac-sql', deps)

  const selectSchema = node(async (_: State, tools) => {
    const whole = allTables(tools.database.catalog, tools.context.linked)
    const { schema, evidence, question } = tools.describe({ linked: whole, rendering: 'mSchema' })
    const { tables } = await tools.ask(
      {
        ...agent('selector', 'planner', settings),
        prompt: 'mac-sql/select-schema',
        reply: 'mac-sql-selection',
      },
      {
        schema,
        evidence,
        question,
        columns: String(settings.keptColumns),
        tables: String(settings.keptTables),
      },
    )
    return {
      kept: applySelection(tables, {
        ...settings,
        whole,
        catalog: tools.database.catalog,
        linked: tools.context.linked,
      }),
    }
  })

  const decompose = node(async ({ kept }: State, tools) => {
    const { steps, sql, missing, assumptions } = await tools.ask(
      {
        ...agent('decomposer', 'drafter', settings),
        prompt: 'mac-sql/decompose',
        reply: 'mac-sql-decomposition',
        temperature: settings.temperature,
      },
      { ...describe(tools, kept), shots: workedExamples(settings.shots) },
    )
    const answer = sql === '' ? (steps.at(-1)?.sql ?? '') : sql
    if (missing !== '' || answer === '') {
      tools.declareMissing('decomposer', missing)
      return {}
    }
    const { confidence } = settings
    return { candidateId: await tools.draft({ sql: answer, agent: 'decomposer', confidence, assumptions }) }
  })

  const checkStatement = node(async ({ candidateId }: State, tools) => ({
    problem: await tools.check(candidateId ?? ''),
  }))

  const refine = node(async ({ candidateId, problem, kept, refinements }: State, tools) => {
    const failed = await tools.candidate(candidateId ?? '')
    if (problem === null) return {}
    const refined = await tools.ask(
      { ...agent('refiner', 'fixer', settings), prompt: 'mac-sql/refine', reply: 'mac-sql-refinement' },
      {
        ...describe(tools, kept),
        statement: failed.sql,
        problem: problemTexts[problem.errorClass] ?? '',
        message: problem.message,
        'question-again': tools.context.understanding.text,
      },
    )
    // The same statement, or none, would only fail again.
    const isNew = refined.sql !== '' && refined.sql !== failed.sql
    if (isNew) await tools.revise(failed.id, refined.sql, problem)
    return { refinements: isNew ? refinements + 1 : settings.refinements, problem: isNew ? null : problem }
  })

  const graph = new StateGraph(MacSqlState)
    .addNode('select-schema', selectSchema)
    .addNode('decompose', decompose)
    .addNode('check-statement', checkStatement)
    .addNode('refine', refine)
    .addNode('conclude', makeConclude(deps))
    .addConditionalEdges(START, needsCut(deps, settings), ['select-schema', 'decompose'])
    .addConditionalEdges(
      'select-schema',
      unlessHalted('conclude', () => 'decompose'),
      ['decompose', 'conclude'],
    )
    .addConditionalEdges(
      'decompose',
      unlessHalted('conclude', ({ candidateId }: State) =>
        candidateId === null ? 'conclude' : 'check-statement',
      ),
      ['check-statement', 'conclude'],
    )
    .addConditionalEdges('check-statement', afterCheck(settings), ['refine', 'conclude'])
    .addConditionalEdges('refine', afterRefining, ['check-statement', 'conclude'])
    .addEdge('conclude', END)
    .compile()
  return makeAgentStrategy('mac-sql', graph)
}

const agent = (
  name: 'selector' | 'decomposer' | 'refiner',
  role: 'planner' | 'drafter' | 'fixer',
  { models }: MacSqlSettings,
) => ({ agent: name, role, model: models[name] })

const describe = (tools: AgentTools, kept: LinkedSchema | null) =>
  tools.describe({ rendering: 'mSchema', ...(kept === null ? {} : { linked: kept }) })

/** Small schemas are not cut (section 3.2). */
const needsCut =
  (deps: AgentDeps, settings: MacSqlSettings) =>
  async ({ question }: State): Promise<'select-schema' | 'decompose'> => {
    if (!settings.selector) return 'decompose'
    const { catalog } = await deps.database(question.database, {})
    return isLargeSchema(catalog, settings) ? 'select-schema' : 'decompose'
  }

/** A statement that fails or finds nothing is mended; an odd result is not looked at. */
const afterCheck =
  (settings: MacSqlSettings) =>
  ({ problem, refinements, halted }: State): 'refine' | 'conclude' => {
    if (halted !== null || problem === null || problem.errorClass === 'wrong-shape') return 'conclude'
    return problemTexts[problem.errorClass] !== null && refinements < settings.refinements
      ? 'refine'
      : 'conclude'
  }

const afterRefining = ({ halted, problem }: State): 'check-statement' | 'conclude' =>
  halted === null && problem === null ? 'check-statement' : 'conclude'

/** Worked examples for the decomposer, of a made-up ferry company, the easier one first. */
const examples = [
  `Schema:
# Table: boats
[
(boat_id:INTEGER, Primary Key),
(name:TEXT, Examples: ['Alma', 'Brise']),
(seats:INTEGER, Range: [12 to 400])
]
Question: How many boats have more than 100 seats?
Answer:
{"steps": [{"question": "How many boats have more than 100 seats?", "sql": "SELECT COUNT(*) FROM boats WHERE seats > 100"}], "sql": "SELECT COUNT(*) FROM boats WHERE seats > 100", "missing": "", "assumptions": []}`,
  `Schema:
# Table: boats
[
(boat_id:INTEGER, Primary Key),
(name:TEXT, Examples: ['Alma', 'Brise']),
(seats:INTEGER, Range: [12 to 400])
]
# Table: crossings
[
(crossing_id:INTEGER, Primary Key),
(boat_id:INTEGER),
(left_at:TIMESTAMP),
(passengers:INTEGER, Range: [0 to 391])
]
Foreign keys: crossings.boat_id=boats.boat_id
Question: Which boats were on average fuller than the whole fleet, fullest first?
Answer:
{"steps": [{"question": "How full was each crossing?", "sql": "SELECT c.boat_id, 1.0 * c.passengers / b.seats AS fill FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id"}, {"question": "How full was the whole fleet on average?", "sql": "SELECT AVG(1.0 * c.passengers / b.seats) FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id"}, {"question": "Which boats were on average fuller than the whole fleet, fullest first?", "sql": "SELECT b.name FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id GROUP BY b.boat_id, b.name HAVING AVG(1.0 * c.passengers / b.seats) > (SELECT AVG(1.0 * c.passengers / b.seats) FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id) ORDER BY AVG(1.0 * c.passengers / b.seats) DESC"}], "sql": "SELECT b.name FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id GROUP BY b.boat_id, b.name HAVING AVG(1.0 * c.passengers / b.seats) > (SELECT AVG(1.0 * c.passengers / b.seats) FROM crossings AS c JOIN boats AS b ON b.boat_id = c.boat_id) ORDER BY AVG(1.0 * c.passengers / b.seats) DESC", "missing": "", "assumptions": ["a boat's fullness is the mean over its crossings"]}`,
] as const

/** The first so many examples, the hardest last; empty for none. */
const workedExamples = (shots: number): string => examples.slice(0, shots).join('\n\n')
