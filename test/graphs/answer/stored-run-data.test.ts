import { describe, expect, it } from 'vitest'
import type { DraftPath } from '../../../src/domain/candidate.ts'
import { asked, byPort, draft, openHarborRuns, pathOf } from './harbor-runs.ts'

const makeRuns = openHarborRuns()

describe('checkpoints', () => {
  it('hold ids and facts, but no rows and no SQL of candidates that were not chosen', async () => {
    const { runs, checkpointer } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    await runs.start(question)
    const tuple = await checkpointer.getTuple({ configurable: { thread_id: question.id } })
    const state = JSON.stringify(tuple?.checkpoint.channel_values)
    expect(state).toContain('0/semantic-parser/00')
    expect(state).not.toContain('select home_port')
    expect(state).not.toContain('Bergen')
  })
})

describe('the trace of a run', () => {
  it('holds what was read, tried and decided, and what each step took', async () => {
    const boom: DraftPath = {
      name: 'query-plan',
      cost: 'model',
      samples: 1,
      draft: async () => {
        throw new Error('the model hung')
      },
    }
    const { runs } = makeRuns({ paths: [pathOf(() => [draft('select name from boats')]), boom] })
    const question = asked('which boats?')
    const { trace } = await runs.start(question)
    expect(trace).toMatchObject({
      questionId: question.id,
      question: 'which boats?',
      schema: [{ table: 'boats', keep: 'all' }],
      groups: [{ head: { columns: ['name'], rows: [['Alba'], ['Brisa'], ['Cyan']] } }],
      outcome: { status: 'answered', headline: '3 rows' },
      failures: [{ path: 'query-plan', sample: 0, message: 'the model hung' }],
      leftOut: [],
    })
    expect(trace?.waves.at(-1)?.drafts).toEqual([])
    const steps = new Map(trace?.steps.map(step => [step.step, step]))
    expect(steps.get('draft-sql')?.times).toBe(2)
    expect(steps.get('explain-answer')?.times).toBe(1)
    expect([...steps.values()].every(({ milliseconds, longest }) => milliseconds >= longest)).toBe(true)
    expect(await runs.trace(question.id)).toEqual(trace)
    expect(await runs.trace('another')).toBeNull()
  })

  it('is there for a question that is asked back, and goes on with the reply', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port?')
    expect((await runs.start(question)).trace?.outcome?.status).toBe('needs-clarification')
    const { trace } = await runs.resume(question.id, { kind: 'option', number: 2 })
    expect(trace).toMatchObject({ outcome: { status: 'answered' }, reply: { kind: 'option', number: 2 } })
  })

  it('tells how far a run came that broke', async () => {
    const { runs } = makeRuns({
      paths: [pathOf(() => byPort)],
      findClarification: () => {
        throw new Error('broken')
      },
    })
    const question = asked('boats by port')
    await expect(runs.start(question)).rejects.toThrow('broken')
    const trace = await runs.trace(question.id)
    expect(trace).toMatchObject({ outcome: null, schema: [{ table: 'boats' }] })
    expect(trace?.candidates[0]?.run?.status).toBe('ran')
  })
})
