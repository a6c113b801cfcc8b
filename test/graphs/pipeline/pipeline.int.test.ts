import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resultKey } from '../../../src/ranking/result-key.ts'
import { readScriptedQuestions } from '../../helpers/scripted-model/scripted-replies.ts'
import { startScriptedModel } from '../../helpers/scripted-model/start-scripted-model.ts'
import { openPipeline, type Pipeline } from './open-pipeline.ts'

const written = readScriptedQuestions()

const questions = written.filter(({ question }) => question !== 'any')

let pipeline: Pipeline

beforeAll(async () => {
  pipeline = await openPipeline()
}, 120_000)

afterAll(() => pipeline?.[Symbol.asyncDispose]())

describe.each(questions)('“$question”', ({ question, right, modes, replies, file }) => {
  it.each(modes)('is answered rightly in the %s mode', async mode => {
    await using model = await startScriptedModel(written)
    const { report, table } = await pipeline.ask(mode, question, model.baseUrl)
    expect(model.unexpected).toEqual([])
    if (right === null) expect(report.outcome.status).toBe('refused')
    else {
      expect(report.outcome).toMatchObject({ status: 'answered' })
      expect(resultKey(table!, { ordered: false })).toBe(
        resultKey(await pipeline.run(right), { ordered: false }),
      )
    }
    // What is written for no attempt in particular depends on what the parser reads besides.
    const idle = model.idle().filter(reply => reply.file === file && reply.attempt !== 'any')
    if (mode === 'full') expect(idle).toEqual([])
    // Where the ranking is not sure of drafts that were written to differ, full mode has them judged.
    const judgements = replies.filter(({ role }) => role === 'judge')
    const unused = model.idle().filter(reply => reply.file === file && reply.role === 'judge')
    if (mode === 'full' && judgements.length > 0) expect(unused.length).toBeLessThan(judgements.length)
    expect(report.usage.modelCalls).toBe(model.asked.length)
  })
})

describe('the three paths', () => {
  const asking = async (question: string) => {
    await using model = await startScriptedModel(written)
    const { report } = await pipeline.ask('full', question, model.baseUrl)
    return { report, asked: model.asked }
  }

  it('are witnesses of their own, each with its name', async () => {
    const { report } = await asking('How many orders were placed last month by region?')
    const lineages = new Set(report.candidates.map(({ lineage }) => lineage))
    for (const path of ['divide-and-conquer', 'query-plan', 'online-synthetic'])
      expect(lineages).toContain(`${path}/written-by-hand`)
  })

  it('outvote a statement when most of them find no answer in the schema, and say why', async () => {
    const { report } = await asking(
      'What is the average number of bonus points per role of our support agents?',
    )
    expect(report.outcome).toMatchObject({
      status: 'refused',
      why: { code: 'cannot-answer', reason: 'Bonus points are not recorded. See.' },
    })
    expect(report.trace?.cannotAnswer.map(({ path }) => path).toSorted()).toEqual([
      'divide-and-conquer',
      'query-plan',
    ])
  })

  it('show made-up examples only where they run', async () => {
    const { asked } = await asking('What is the meaning of life?')
    const shown = asked.find(({ prompt }) => prompt === 'online-synthetic')?.variables.examples
    expect(shown).toContain('How many stores are there?')
    expect(shown).not.toContain('live for')
  })

  it('tell the drafters what the model said of the question', async () => {
    const { asked } = await asking('How many parcels went to the Low Countries in October 2026?')
    const values = asked.find(({ prompt }) => prompt === 'divide-and-conquer')?.variables.values
    expect(values).toMatch(/"Low Countries": [\w. ]+ = 'Netherlands'/)
  })

  it('are repaired by a model where no rule can, and judged by what the team means', async () => {
    const fastest = await asking('Which region grew fastest last quarter?')
    expect(fastest.report.candidates.flatMap(({ repairs }) => repairs)).toContainEqual(
      expect.objectContaining({ sql: expect.stringContaining('growth_since') }),
    )
    const average = await asking('What was the average order value per channel last quarter?')
    expect(average.report.trace?.comparisons).toContainEqual(
      expect.objectContaining({
        by: 'model',
        reason: expect.stringContaining('cancelled orders are left out'),
      }),
    )
    const judged = average.asked.find(({ role }) => role === 'judge')?.variables
    expect(judged?.evidence).toContain('average order value')
    expect(judged?.['first-result']).toMatch(/^4 rows; columns: channel \(text\)/)
  })
})

describe('a metric query', () => {
  const asking = async (question: string) => {
    await using model = await startScriptedModel(written)
    const { report, table } = await pipeline.ask('adaptive', question, model.baseUrl)
    return { report, table, asked: model.asked.filter(({ role }) => role === 'drafter') }
  }

  it('answers alone where the parser reads the same, in the words of the layer', async () => {
    const { report, table, asked } = await asking('What was our revenue per sales channel in October 2026?')
    expect(asked.map(({ prompt }) => prompt)).toEqual(['metric-query'])
    expect(report.outcome).toMatchObject({
      candidateId: expect.stringContaining('metric-query'),
      headline: 'Store had the highest revenue in October 2026: €114,380.75 of €339,147.59 (34%)',
      assumptions: ['Orders by date placed: Oct 1 to 31, 2026 (UTC).'],
    })
    expect(table?.columns.map(({ meaning }) => meaning?.label)).toEqual(['Channel', 'Revenue'])
    expect(report.trace?.waves.at(-1)?.reason).toBe(
      'the metric query and what was read without a model agree',
    )
  })

  it('is a witness beside the parser and beside SQL that the same model wrote', async () => {
    const { report } = await asking(
      'Which three vendors moved the most pieces to customers of the club last quarter?',
    )
    const lineages = new Set(report.candidates.map(({ lineage }) => lineage))
    for (const path of [
      'semantic-parser',
      'metric-query/written-by-hand',
      'divide-and-conquer/written-by-hand',
    ])
      expect(lineages).toContain(path)
  })

  it('has an unknown name mended in one turn', async () => {
    const { asked } = await asking(
      'Which three vendors moved the most pieces to customers of the club last quarter?',
    )
    const turns = asked.filter(({ prompt }) => prompt === 'metric-query')
    expect(turns).toHaveLength(2)
    expect(turns[1]?.variables.earlier).toContain('There is no metric pieces_sold; there is units_sold')
    expect(turns[1]?.variables.layer).toBe(turns[0]?.variables.layer)
  })

  it('leaves to SQL what the layer cannot express, and says so in the trace', async () => {
    const { report, asked } = await asking('How many orders were placed last month by region?')
    expect(asked.map(({ prompt }) => prompt).slice(0, 2)).toEqual(['metric-query', 'divide-and-conquer'])
    expect(report.trace?.failures).toEqual([
      {
        path: 'metric-query',
        sample: 0,
        message:
          'the semantic layer cannot express the question: The layer does not have what the question asks for.',
        isDeclined: true,
      },
    ])
  })

  it('is refused if it smuggles in names, SQL or texts that nobody asked for', async () => {
    const { report, asked } = await asking('How many of our shops have opened in each year so far?')
    expect(asked.filter(({ prompt }) => prompt === 'metric-query')).toHaveLength(2)
    expect(report.candidates.filter(({ path }) => path === 'metric-query')).toEqual([])
    expect(report.trace?.failures).toMatchObject([{ path: 'metric-query', isDeclined: true }])
    expect(JSON.stringify(report.candidates)).not.toMatch(/pg_shadow|DROP TABLE/)
  })
})
