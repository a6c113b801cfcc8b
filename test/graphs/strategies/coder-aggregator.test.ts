import { describe, expect, it } from 'vitest'
import { askWithStrategy } from '../../helpers/scripted-agents/ask-with-strategy.ts'
import type { ScriptedExchange } from '../../helpers/scripted-agents/start-scripted-agents.ts'

const question = 'How many singers live in Vaasa?'
const good = "SELECT COUNT(*) FROM singers WHERE city = 'Vaasa'"
const worse = "SELECT name FROM singers WHERE city = 'Vaasa'"

const draft = (sql: string, more: Partial<ScriptedExchange> = {}): ScriptedExchange => ({
  ...{ prompt: 'coder-aggregator/code', together: 'coders', sees: [question], ...more },
  reply: { reasoning: `so ${sql.slice(7, 12)}`, sql, missing: '', assumptions: [] },
})

const final = (sql: string, sees: readonly string[] = [], missing = ''): ScriptedExchange => ({
  ...{ prompt: 'coder-aggregator/aggregate', sees },
  reply: { reasoning: 'They agree on the city.', sql, missing, assumptions: [] },
})

const ask = (script: readonly ScriptedExchange[], settings = {}, config = {}) =>
  askWithStrategy({ strategy: 'coder-aggregator', question, script, settings, config })

describe('coders and aggregator of BAPPA', () => {
  it('takes a call for each coder and one to make the final statement of them', async () => {
    const { report, table, problems, agents } = await ask([
      draft(worse),
      draft(worse),
      draft(good),
      final(good, ['coder-1: so', 'coder-2: so', 'coder-3: so', worse, good]),
    ])
    expect([problems, agents]).toEqual([[], ['coder-1', 'coder-2', 'coder-3', 'aggregator']])
    expect(report.usage.modelCalls).toBe(4)
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    expect(table?.rows).toEqual([[2]])
  })

  it('asks the models of the coders in turn, with personas if that is set', async () => {
    const { problems } = await ask(
      [
        draft(good, { model: 'small', sees: ['shortest'] }),
        draft(good, { model: 'large', sees: ['technical detail'] }),
        draft(good, { model: 'small', sees: ['two different ways'] }),
        { ...final(good), model: 'deep' },
      ],
      { coderModels: ['small', 'large'], personas: true, models: { aggregator: 'deep' } },
    )
    expect(problems).toEqual([])
  })

  it('answers with the first coder whose statement runs if the final one does not', async () => {
    const { report, problems } = await ask([
      draft('SELECT COUNT(*) FROM singer'),
      draft(good),
      draft(worse),
      final('SELECT COUNT(town) FROM singers'),
    ])
    expect(problems).toEqual([])
    expect(report.outcome.status).toBe('answered')
  })

  it('refuses if the aggregator says that the database cannot answer, whatever the coders wrote', async () => {
    const reason = 'The database has no ages.'
    const { report } = await ask([draft(good), draft(good), draft(good), final('', [], reason)])
    expect(report.outcome).toMatchObject({ status: 'refused', why: { code: 'cannot-answer', reason } })
  })

  it('answers with what the coders wrote if the aggregator fails', async () => {
    const { report, problems } = await ask([
      draft(good),
      draft(good),
      draft(good),
      { prompt: 'coder-aggregator/aggregate', status: 404 },
    ])
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('says so in the answer if all of its models fail', async () => {
    const { report } = await ask(
      [1, 2, 3].map(() => ({ prompt: 'coder-aggregator/code', together: 'coders', status: 404 })),
    )
    expect(report.outcome).toMatchObject({ status: 'answered' })
    expect(report.outcome.status === 'answered' && report.outcome.assumptions.join()).toMatch(/model/)
  })
})
