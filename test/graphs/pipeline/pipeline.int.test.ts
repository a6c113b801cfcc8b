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
    expect(values).toMatch(/"Low Countries" may be \w+\.\w+ = 'Netherlands'/)
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
