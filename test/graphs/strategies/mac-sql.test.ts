import { describe, expect, it } from 'vitest'
import { askWithStrategy } from '../../helpers/scripted-agents/ask-with-strategy.ts'

const question = 'Which singers sang at concerts with more than 100 visitors?'
const good =
  'SELECT DISTINCT s.name FROM singers AS s JOIN concerts AS c ON c.singer_id = s.singer_id WHERE c.visitors > 100'

const decomposition = (sql: string, missing = '') => ({
  prompt: 'mac-sql/decompose',
  sees: [question],
  reply: { steps: [{ question, sql }], sql, missing, assumptions: [] },
})

const refinement = (statement: string, sql: string) => ({
  prompt: 'mac-sql/refine',
  sees: [statement],
  reply: { cause: 'It was wrong.', sql, missing: '', assumptions: [] },
})

const ask = (script: Parameters<typeof askWithStrategy>[0]['script'], settings = {}) =>
  askWithStrategy({ strategy: 'mac-sql', question, script, settings })

describe('MAC-SQL', () => {
  it('asks the decomposer alone about a small schema, and answers with its statement', async () => {
    const { report, table, problems, agents } = await ask([decomposition(good)])
    expect([problems, agents]).toEqual([[], ['decomposer']])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good, confidence: 0.6 })
    expect(table?.rows).toEqual([['Ada']])
    expect(report.usage.modelCalls).toBe(1)
  })

  it('has the selector cut a large schema first, and shows the decomposer what it kept', async () => {
    const selection = {
      prompt: 'mac-sql/select-schema',
      sees: ['city', question],
      reply: {
        tables: [
          { table: 'singers', keep: 'columns', columns: ['name'] },
          { table: 'concerts', keep: 'keep_all', columns: [] },
        ],
      },
    }
    const { problems, agents, seen } = await ask([selection, decomposition(good)], { columnsInAll: 2 })
    expect([problems, agents]).toEqual([[], ['selector', 'decomposer']])
    expect(seen[1]?.user).toContain('singer_id')
    expect(seen[1]?.user).not.toMatch(/city|voice/)
  })

  it('has the refiner mend an error, and then what finds nothing', async () => {
    const broken = 'SELECT nam FROM singers'
    const empty = "SELECT name FROM singers WHERE voice = 'Alto'"
    const { report, problems, agents } = await ask([
      decomposition(broken),
      refinement(broken, empty),
      refinement(empty, good),
    ])
    expect([problems, agents]).toEqual([[], ['decomposer', 'refiner', 'refiner']])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    expect(report.candidates[0]?.repairs.map(({ errorClass }) => errorClass)).toEqual([
      'unknown-column',
      'empty-result',
    ])
  })

  it('gives up after three refinements', async () => {
    const broken = (at: number) => `SELECT nothing_${at} FROM singers`
    const { report, problems, agents } = await ask([
      decomposition(broken(0)),
      refinement(broken(0), broken(1)),
      refinement(broken(1), broken(2)),
      refinement(broken(2), broken(3)),
    ])
    expect([problems, agents.length]).toEqual([[], 4])
    expect(report.outcome).toMatchObject({ status: 'refused', why: { code: 'all-failed' } })
  })

  it('has a malformed reply sent again once', async () => {
    const { report, problems } = await ask([
      { prompt: 'mac-sql/decompose', text: 'SELECT name FROM singers' },
      { prompt: 'repair-json', sees: ['fits this schema'], reply: decomposition(good).reply },
    ])
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
    expect(report.usage.modelCalls).toBe(2)
  })

  it('refuses with what is missing if the decomposer says that the schema cannot answer', async () => {
    const { report, problems } = await ask([decomposition('', 'The database has no ticket prices.')])
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: 'The database has no ticket prices.' },
    })
  })

  it('reads the question without a model if its model fails', async () => {
    const { report, problems } = await askWithStrategy({
      strategy: 'mac-sql',
      question: 'How many singers are there?',
      script: [{ prompt: 'mac-sql/decompose', status: 404 }],
    })
    expect(problems).toEqual([])
    expect(report.outcome).toMatchObject({ status: 'answered' })
    expect(report.outcome.status === 'answered' && report.outcome.assumptions.join()).toMatch(/model/)
  })

  it('stops asking once the budget is spent', async () => {
    const broken = 'SELECT nam FROM singers'
    const { report, problems, agents } = await askWithStrategy({
      ...{ strategy: 'mac-sql', question, script: [decomposition(broken)] },
      config: { budget: { modelCallsPerQuestion: 1 } },
    })
    expect([problems, agents]).toEqual([[], ['decomposer', 'refiner']])
    expect(report.usage.modelCalls).toBe(1)
  })
})
