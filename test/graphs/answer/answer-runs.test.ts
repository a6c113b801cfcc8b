import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../../src/domain/answer.ts'
import type { DraftPath, FixSql } from '../../../src/domain/candidate.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import { asked, draft, openHarborRuns, pathOf } from './harbor-runs.ts'

const makeRuns = openHarborRuns()

describe('a question', () => {
  it('is answered with the saved result, a headline and how sure it is', async () => {
    const { runs, results } = makeRuns({})
    const { outcome } = await runs.start(asked('how many boats?'))
    expect(outcome).toMatchObject({ status: 'answered', confidence: 0.6, headline: 'Boats: 3' })
    const table = outcome.status === 'answered' ? await results.load(outcome.resultId) : null
    expect(table?.rows).toEqual([[3]])
  })

  it('tells its steps while it goes', async () => {
    const { runs } = makeRuns({})
    const events: AnswerEvent[] = []
    await runs.start(asked('how many boats?'), { onEvent: event => events.push(event) })
    expect(events.map(event => event.step)).toEqual([
      'understand',
      'find-values',
      'link',
      'draft',
      'check',
      'choose',
      'explain',
    ])
  })

  it('is answered by the other path when one throws', async () => {
    const broken: DraftPath = {
      name: 'divide-and-conquer',
      cost: 'model',
      samples: 1,
      draft: () => Promise.reject(new Error('no model')),
    }
    const { runs } = makeRuns({ paths: [broken, pathOf(() => [draft('select 3')])] })
    expect((await runs.start(asked('how many?'))).outcome.status).toBe('answered')
  })

  it('is trusted more when two lineages agree', async () => {
    const other = pathOf(() => [draft('select 3', { lineage: 'model' })], 'divide-and-conquer')
    const { runs } = makeRuns({ paths: [pathOf(() => [draft('select count(*) from boats')]), other] })
    const { outcome } = await runs.start(asked('how many?'))
    expect(outcome).toMatchObject({ status: 'answered', confidence: expect.closeTo(0.85) })
  })

  it('is refused with the missing words when no reading is trusted', async () => {
    const { runs } = makeRuns({
      paths: [pathOf(() => [draft('select 1', { prior: 0.1, unused: ['zebra'] })])],
    })
    expect((await runs.start(asked('zebra?'))).outcome).toMatchObject({
      status: 'refused',
      why: { code: 'ignored-words', words: ['zebra'] },
    })
  })

  it('is refused when the guard refuses every draft', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => [draft('delete from boats')])] })
    const { outcome, candidates } = await runs.start(asked('sink them'))
    expect(outcome.status).toBe('refused')
    expect(candidates[0]?.run).toMatchObject({ status: 'failed', errorClass: 'refused' })
  })

  it('without words gets a reply and touches no data', async () => {
    const { runs } = makeRuns({})
    const { outcome, candidates } = await runs.start(asked(''))
    expect(outcome.status).toBe('refused')
    expect(candidates).toEqual([])
  })

  it('stops when it is told to', async () => {
    const stop = new AbortController()
    const slow = pathOf(() => {
      stop.abort(new Error('enough'))
      return [draft('select 1')]
    })
    const { runs } = makeRuns({ paths: [slow] })
    await expect(runs.start(asked('?'), { signal: stop.signal })).rejects.toThrow()
  })
})

describe('repair', () => {
  it('runs the repaired statement and remembers what was wrong', async () => {
    const fix: FixSql = async ({ sql }) => ({ sql: sql.replace('boat ', 'boats '), usage: noModelUsage })
    const { runs } = makeRuns({
      paths: [pathOf(() => [draft('select count(*) from boat where 1')])],
      fixers: [fix],
    })
    const { outcome, candidates } = await runs.start(asked('how many?'))
    expect(outcome).toMatchObject({ status: 'answered', sql: 'select count(*) from boats where 1' })
    expect(candidates[0]?.repairs).toMatchObject([{ round: 1, errorClass: 'unknown-table' }])
  })

  it.each([
    ['three rounds with a model', 1, 3],
    ['eight without', 0, 8],
  ])('gives up after %s', async (_, modelCalls, most) => {
    let rounds = 0
    const usage = { ...noModelUsage, modelCalls }
    const fix: FixSql = async () => ({ sql: `select nothing_${++rounds} from boats`, usage })
    const { runs } = makeRuns({ paths: [pathOf(() => [draft('select nothing from boats')])], fixers: [fix] })
    const { candidates } = await runs.start(asked('nothing?'))
    expect(rounds).toBe(most)
    expect(candidates[0]?.repairs).toHaveLength(most)
    expect(candidates[0]?.run).toMatchObject({ status: 'failed', errorClass: 'unknown-column' })
  })

  it('asks the next fixer when one has no fix or breaks', async () => {
    const none: FixSql = async () => ({ sql: null, usage: noModelUsage })
    const broken: FixSql = () => Promise.reject(new Error('no model'))
    const last: FixSql = async () => ({ sql: 'select 3', usage: noModelUsage })
    const { runs } = makeRuns({ paths: [pathOf(() => [draft('select nope')])], fixers: [none, broken, last] })
    expect((await runs.start(asked('how many?'))).outcome).toMatchObject({
      status: 'answered',
      sql: 'select 3',
    })
  })

  it('keeps an empty result when the repair breaks it', async () => {
    const fix: FixSql = async () => ({ sql: 'select nope', usage: noModelUsage })
    const empty = draft("select name from boats where home_port = 'Rome'", { prior: 0.9 })
    const { runs } = makeRuns({ paths: [pathOf(() => [empty])], fixers: [fix] })
    expect((await runs.start(asked('boats of Rome'))).outcome).toMatchObject({
      status: 'answered',
      headline: 'Nothing found.',
    })
  })
})
