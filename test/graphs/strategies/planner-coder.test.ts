import { describe, expect, it } from 'vitest'
import { askWithStrategy } from '../../helpers/scripted-agents/ask-with-strategy.ts'
import type { ScriptedExchange } from '../../helpers/scripted-agents/start-scripted-agents.ts'

const question = 'How many singers live in Vaasa?'
const good = "SELECT COUNT(*) FROM singers WHERE city = 'Vaasa'"

const plan = (step: string, more: Partial<ScriptedExchange> = {}, missing = ''): ScriptedExchange => ({
  ...{ prompt: 'planner-coder/plan', sees: [question], ...more },
  reply: { plan: [step, 'Count them.'], missing },
})

const code = (sql: string, sees: readonly string[], missing = ''): ScriptedExchange => ({
  ...{ prompt: 'planner-coder/code', sees },
  reply: { sql, missing, assumptions: [] },
})

const ask = (script: readonly ScriptedExchange[], settings = {}) =>
  askWithStrategy({ strategy: 'planner-coder', question, script, settings })

describe('planner and coder of BAPPA', () => {
  it('takes two calls: a plan, and the statement by it', async () => {
    const { report, table, problems, agents, seen } = await ask([
      plan('Read singers of Vaasa.'),
      code(good, ['1. Read singers of Vaasa.\n2. Count them.']),
    ])
    expect([problems, agents]).toEqual([[], ['planner', 'coder']])
    expect(report.usage.modelCalls).toBe(2)
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good, confidence: 0.56 })
    expect(table?.rows).toEqual([[2]])
    expect(seen.map(({ temperature }) => temperature)).toEqual([0.6, 0])
  })

  it('shows the coder the plans of several planners, each with a model of its own', async () => {
    const { report, problems, agents } = await ask(
      [
        plan('Look at singers.', { together: 'plans', model: 'deep' }),
        plan('Filter by city.', { together: 'plans', model: 'deeper' }),
        code(good, ['Plan 1:', 'Plan 2:', 'Look at singers.', 'Filter by city.']),
      ],
      { planners: 2, plannerModels: ['deep', 'deeper'] },
    )
    expect([problems, agents]).toEqual([[], ['planner', 'planner', 'coder']])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('goes on with the plans there are if a planner fails', async () => {
    const { report, problems } = await ask(
      [
        { prompt: 'planner-coder/plan', together: 'plans', model: 'deep', status: 404 },
        plan('Filter by city.', { together: 'plans', model: 'deeper' }),
        code(good, ['Filter by city.']),
      ],
      { planners: 2, plannerModels: ['deep', 'deeper'] },
    )
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered' })
  })

  it.each([
    ['an unknown column', 'SELECT COUNT(*) FROM singers WHERE town = 1', 'all-failed'],
    ['a statement that cannot be parsed', 'SELECT COUNT( FROM singers', 'all-failed'],
  ])('refuses after %s: nobody mends it', async (_, sql, reason) => {
    const { report, problems } = await ask([plan('Filter by town.'), code(sql, [])])
    expect([problems, report.usage.modelCalls]).toEqual([[], 2])
    expect(report.outcome).toMatchObject({ status: 'refused', why: { code: reason } })
  })

  it('answers that there are none if the statement finds nothing', async () => {
    const { report } = await ask([
      plan('Filter by city.'),
      code("SELECT name FROM singers WHERE city = 'Oulu'", []),
    ])
    expect(report.outcome).toMatchObject({ status: 'answered' })
  })

  it('refuses with what is missing if the planner, or the coder, says that the schema cannot answer', async () => {
    const reason = 'The database has no ages.'
    const byPlanner = await ask([plan('None.', {}, reason)])
    const byCoder = await ask([plan('Compare ages.'), code('', [], reason)])
    for (const { report, problems } of [byPlanner, byCoder]) {
      expect(problems).toEqual([])
      expect(report.outcome).toMatchObject({ status: 'refused', why: { code: 'cannot-answer', reason } })
    }
  })

  it('has a malformed plan sent again once', async () => {
    const { problems, report } = await ask([
      { prompt: 'planner-coder/plan', text: 'First, read singers.' },
      { prompt: 'repair-json', reply: plan('Read singers.').reply },
      code(good, ['Read singers.']),
    ])
    expect([problems, report.usage.modelCalls]).toEqual([[], 3])
  })
})
