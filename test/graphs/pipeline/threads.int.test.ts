import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type ClassifiedInThread,
  classifiedMessages,
} from '../../helpers/scripted-model/classified-messages.ts'
import { startScriptedModel } from '../../helpers/scripted-model/start-scripted-model.ts'
import { openPipeline, type Pipeline } from './open-pipeline.ts'

let pipeline: Pipeline

beforeAll(async () => {
  pipeline = await openPipeline()
}, 120_000)

afterAll(() => pipeline?.[Symbol.asyncDispose]())

const first = 'Revenue by channel last quarter'

/** Says a message after the first question to a model that classifies it as written and refuses all else. */
const say = async (said: string, classified: Omit<ClassifiedInThread, 'first' | 'said'> | null) => {
  await using model = await startScriptedModel(
    classifiedMessages(classified === null ? [] : [{ first, said, ...classified }]),
  )
  const { outcome } = await pipeline.say([first, said], model.baseUrl)
  const calls = model.asked.filter(({ role }) => role === 'rewriter')
  return { outcome, calls, unexpected: model.unexpected.filter(text => text.includes('for the rewriter')) }
}

describe('a message in an answered thread, with a model', () => {
  it('that follows up is rewritten in one call, which sees tables, columns and the last SQL', async () => {
    const question = 'Net revenue by region last quarter'
    const { outcome, calls, unexpected } = await say('no wait, net and for each region, not channel', {
      kind: 'follow-up',
      question,
    })
    expect(unexpected).toEqual([])
    expect(calls).toHaveLength(1)
    expect(calls[0]?.variables.thread).toContain('columns shown: channel, revenue')
    expect(calls[0]?.variables.thread).toContain('SUM(')
    expect(calls[0]?.variables.tables).toMatch(/^stores\(id, name, /m)
    expect(calls[0]?.variables.tables).not.toMatch(/Hamburg|web/)
    expect(outcome).toMatchObject({
      status: 'answered',
      assumptions: expect.arrayContaining([`I read this as “${question}”.`]),
    })
    expect(outcome.status === 'answered' && outcome.sql).toMatch(/region[\s\S]*cancelled/)
  })

  it('that is a question of its own is answered alone', async () => {
    const question = 'how many employees do we have?'
    const { outcome, calls } = await say(`hm ok. ${question}`, { kind: 'new-question', question })
    expect(calls).toHaveLength(1)
    expect(outcome).toMatchObject({ status: 'answered' })
    expect(outcome.status === 'answered' && outcome.sql).not.toMatch(/channel|placed_at/)
  })

  it('that asks for nothing gets no answer', async () => {
    const { outcome, calls } = await say('the app team will love web being this far down', {
      kind: 'small-talk',
      question: '',
    })
    expect(calls).toHaveLength(1)
    expect(outcome).toEqual({ status: 'refused', why: { code: 'no-request' } })
  })

  it('that cannot be told gets a short question back instead of a guess', async () => {
    const { outcome, calls } = await say('could you do the app thing from before', {
      kind: 'unclear',
      question: '',
    })
    expect(calls).toHaveLength(1)
    expect(outcome).toEqual({
      status: 'refused',
      why: { code: 'impossible-change', problem: { code: 'unclear' }, hasExamples: false },
    })
  })

  it.each(['only the app', 'by month instead', 'top 2', 'thanks!'])(
    'that rules are sure of asks no model: %s',
    async said => {
      expect((await say(said, null)).calls).toEqual([])
    },
  )

  it('is read by rules if the model refuses', async () => {
    const { outcome, calls } = await say('no, I meant net', null)
    expect(calls).toHaveLength(1)
    expect(outcome).toMatchObject({ status: 'answered' })
    expect(outcome.status === 'answered' && outcome.sql).toContain('cancelled')
  })
})
