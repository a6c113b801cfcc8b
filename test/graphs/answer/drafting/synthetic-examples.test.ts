import { beforeAll, describe, expect, it } from 'vitest'
import { cacheExamples, makeMakeExamples } from '../../../../graphs/answer/drafting/synthetic-examples.ts'
import { linkSchema } from '../../../../src/databases/schema-linking/link-schema.ts'
import type { DraftInput, GeneratedExamples } from '../../../../src/domain/candidate.ts'
import type { Database } from '../../../../src/domain/database.ts'
import type { ModelRequest } from '../../../../src/domain/model.ts'
import { makeRenderPrompt } from '../../../../src/llm/prompts.ts'
import { openPottery } from './open-pottery.ts'
import { potteryInput, renderPottery } from './pottery.ts'

const studio = openPottery()

let input: DraftInput

beforeAll(() => {
  const pottery = potteryInput('sqlite')
  const { guard, run } = studio()
  input = { ...pottery, questionId: 'q1', database: { ...pottery.database, guard, run } }
})

const example = (sql: string) => ({ question: `What does ${sql} say?`, sql })

/** A model that gives these examples; what it was asked is kept. */
const makerOf = (value: GeneratedExamples, given: Partial<Parameters<typeof makeMakeExamples>[0]> = {}) => {
  const asked: ModelRequest[] = []
  const makeExamples = makeMakeExamples({
    askForExamples: async request => {
      asked.push(request)
      return { value, usage: { modelCalls: 1, promptTokens: 9, completionTokens: 4 } }
    },
    linkSchema,
    renderSchema: renderPottery,
    // What a statement of this small database takes is the machine's load.
    runBudget: { each: 60_000, all: 60_000, rows: 1_000 },
    ...given,
  })
  return { asked, makeExamples }
}

describe('examples made for a question', () => {
  it('are those that run: neither what fails, nor what writes, nor what never ends, nor the same twice', async () => {
    const endless = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT COUNT(*) FROM n'
    const { makeExamples } = makerOf({
      features: [
        example('SELECT COUNT(*) FROM makers'),
        example('SELECT nothing FROM makers'),
        example(endless),
        example('SELECT title FROM studios'),
      ],
      focused: [
        example("SELECT city FROM makers WHERE full_name = 'Ada'"),
        example('DELETE FROM makers'),
        example('SELECT COUNT(*) FROM makers'),
        example("SELECT full_name FROM makers WHERE city = 'Nowhere'"),
      ],
    })
    const { examples, usage } = await makeExamples(input)
    expect(examples.map(({ sql }) => sql)).toEqual([
      "SELECT city FROM makers WHERE full_name = 'Ada'",
      'SELECT COUNT(*) FROM makers',
      "SELECT full_name FROM makers WHERE city = 'Nowhere'",
      'SELECT title FROM studios',
    ])
    expect(usage.modelCalls).toBe(1)
  }, 20_000)

  it('are asked for with the schema, and with the columns that the question is linked to', async () => {
    const { asked, makeExamples } = makerOf({ features: [], focused: [] })
    await makeExamples(input)
    expect(asked).toMatchObject([{ role: 'planner', prompt: 'make-examples', questionId: 'q1' }])
    const { messages } = makeRenderPrompt()('make-examples', asked[0]?.variables ?? {})
    expect(messages).toMatchSnapshot()
    expect(asked[0]?.variables.focus).toContain('glaze_colour')
    expect(asked[0]?.variables.focus).not.toContain('fuel type')
  })

  it('are never the question itself, nor nearly', async () => {
    const own = (question: string) => ({ question, sql: `SELECT COUNT(*), '${question.length}' FROM makers` })
    const { makeExamples } = makerOf({
      features: [own(input.understanding.text.toUpperCase()), own('How many makers are there?')],
      focused: [
        own('The makers from Bergen which fired celadon pieces last month?'),
        own('Which makers from Bergen are there?'),
      ],
    })
    const { examples } = await makeExamples(input)
    expect(examples.map(({ question }) => question)).toEqual([
      'Which makers from Bergen are there?',
      'How many makers are there?',
    ])
  })

  it('are as many as the settings say, and none are asked for if that is none', async () => {
    const many = Array.from({ length: 9 }, (_, n) => example(`SELECT ${n}`))
    const more = Array.from({ length: 9 }, (_, n) => example(`SELECT 1${n}`))
    const value = { features: many, focused: more }
    const { asked, makeExamples } = makerOf(value, { counts: { features: 3, focused: 1 } })
    const { examples } = await makeExamples(input)
    expect(examples.map(({ sql }) => sql)).toEqual(['SELECT 10', 'SELECT 0', 'SELECT 1', 'SELECT 2'])
    const rendered = makeRenderPrompt()('make-examples', asked[0]?.variables ?? {})
    expect(rendered.messages.at(-1)?.content).toMatch(/Make 3 examples of the kind features and 1 of/)
    const none = makerOf(value, { counts: { features: 0, focused: 0 } })
    expect((await none.makeExamples(input)).usage.modelCalls).toBe(0)
    expect(none.asked).toEqual([])
  })

  it('are not run if they would read much, and read one row if they run', async () => {
    const ran: unknown[] = []
    const database: Database = {
      ...input.database,
      estimate: async ({ sql }) => ({ rows: sql.includes('pieces') ? 9_000 : null, table: null }),
      run: async (sql, options) => {
        ran.push([sql.sql, options?.atMost?.maxRows])
        return input.database.run(sql, options)
      },
    }
    const { makeExamples } = makerOf({
      features: [example('SELECT * FROM pieces')],
      focused: [example('SELECT * FROM makers')],
    })
    const { examples } = await makeExamples({ ...input, database })
    expect(examples.map(({ sql }) => sql)).toEqual(['SELECT * FROM makers'])
    expect(ran).toEqual([['SELECT * FROM makers', 1]])
  })

  it('stop when the question is stopped', async () => {
    const stop = new AbortController()
    const { makeExamples } = makerOf({ features: [example('SELECT 1')], focused: [] })
    stop.abort(new Error('stopped'))
    await expect(makeExamples({ ...input, signal: stop.signal })).rejects.toThrow('stopped')
  })

  it('are made once for the samples of a question, paid for once, and again for another text', async () => {
    const { asked, makeExamples } = makerOf({ features: [example('SELECT 1')], focused: [] })
    const remembered = cacheExamples(makeExamples)
    const [first, second] = await Promise.all([remembered(input), remembered({ ...input, sample: 1 })])
    expect(asked).toHaveLength(1)
    expect(second.examples).toEqual(first.examples)
    expect([first.usage.modelCalls, second.usage.modelCalls]).toEqual([1, 0])
    await remembered({ ...input, understanding: { ...input.understanding, text: 'Another one?' } })
    await remembered({ ...input, questionId: 'q2' })
    expect(asked).toHaveLength(3)
  })

  it('are made again after a failure', async () => {
    let calls = 0
    const remembered = cacheExamples(async () => {
      calls++
      if (calls === 1) throw new Error('busy')
      return { examples: [], usage: { modelCalls: 1, promptTokens: 0, completionTokens: 0 } }
    })
    await expect(remembered(input)).rejects.toThrow('busy')
    expect((await remembered(input)).usage.modelCalls).toBe(1)
  })

  it('that cannot be made fail one draft only; whoever waited drafts without them and pays nothing', async () => {
    const remembered = cacheExamples(async () => {
      throw new Error('busy')
    })
    const [first, second] = await Promise.allSettled([remembered(input), remembered({ ...input, sample: 1 })])
    expect(first.status).toBe('rejected')
    expect(second).toMatchObject({ status: 'fulfilled', value: { examples: [], usage: { modelCalls: 0 } } })
  })
})
