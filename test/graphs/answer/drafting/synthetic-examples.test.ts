import { beforeAll, describe, expect, it } from 'vitest'
import { cacheExamples, makeMakeExamples } from '../../../../graphs/answer/drafting/synthetic-examples.ts'
import { linkSchema } from '../../../../src/databases/schema-linking/link-schema.ts'
import type { DraftInput, GeneratedExamples } from '../../../../src/domain/candidate.ts'
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
const makerOf = (value: GeneratedExamples) => {
  const asked: ModelRequest[] = []
  const makeExamples = makeMakeExamples({
    askForExamples: async request => {
      asked.push(request)
      return { value, usage: { modelCalls: 1, promptTokens: 9, completionTokens: 4 } }
    },
    linkSchema,
    renderSchema: renderPottery,
    // What a statement of this small database takes is the machine's load.
    runLimits: { each: 60_000, all: 60_000 },
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
