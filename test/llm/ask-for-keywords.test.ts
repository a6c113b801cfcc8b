import { describe, expect, it } from 'vitest'
import { ModelError } from '../../src/domain/errors.ts'
import { makeAskForKeywords } from '../../src/llm/model-requests.ts'
import { makeRenderPrompt } from '../../src/llm/prompts.ts'
import type { Exchange } from './model-server.ts'
import { playModel } from './play-model.ts'

const request = {
  question: 'Which Icelandic kites are torn?',
  tables: 'kites(maker, colour, state)\nmakers(name, country)',
}

const reply = JSON.stringify({
  phrases: [
    { phrase: 'Icelandic', kind: 'category', spellings: ['Iceland', ' IS ', ''] },
    { phrase: 'broken', kind: 'state', spellings: ['torn'] },
    { phrase: ' ', kind: 'other', spellings: [] },
  ],
})

const play = (script: readonly Exchange[]) => playModel(script, makeAskForKeywords)

describe('keywords from a model', () => {
  it('are the phrases of the question and their other spellings, which weigh a little less', async () => {
    await using model = await play([{ reply, usage: [321, 45] }])
    expect(await model.ask(request)).toEqual({
      value: [
        { text: 'Icelandic', said: 'Icelandic', source: 'model', weight: 1 },
        { text: 'Iceland', said: 'Icelandic', source: 'model', weight: 0.9 },
        { text: 'IS', said: 'Icelandic', source: 'model', weight: 0.9 },
        { text: 'broken', said: 'broken', source: 'model', weight: 0.9 },
        { text: 'torn', said: 'broken', source: 'model', weight: 0.9 },
      ],
      usage: { modelCalls: 1, promptTokens: 321, completionTokens: 45 },
    })
    expect(model.seen()[0]?.response_format).toMatchObject({
      type: 'json_schema',
      json_schema: { name: 'keywords' },
    })
  })

  it('are bounded, however much a model finds', async () => {
    const phrases = Array.from({ length: 500 }, (_, at) => ({
      phrase: `phrase ${at}`,
      kind: 'other',
      spellings: Array.from({ length: 50 }, (_, other) => `spelling ${at} ${other}`).concat('x'.repeat(200)),
    }))
    await using model = await play([{ reply: JSON.stringify({ phrases }) }])
    expect((await model.ask(request)).value).toHaveLength(20 * 7)
  })

  it('are asked for once more when the reply cannot be read', async () => {
    await using model = await play([{ reply: '{"phrases": ["Icelandic"]}' }, { reply }])
    const { value, usage } = await model.ask(request)
    expect(value).toHaveLength(5)
    expect(usage.modelCalls).toBe(2)
    expect(model.seen()[1]?.messages.at(-1)?.content).toContain('It does not fit the schema')
  })

  it('fail after that, with what they cost', async () => {
    await using model = await play([{ reply: 'Icelandic' }, { reply: 'torn' }])
    const error = await model.ask(request).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ModelError)
    expect(error).toMatchObject({ code: 'model-failed', usage: { modelCalls: 2 } })
  })

  it('are paid for by the budget of their question', async () => {
    await using model = await play([{ reply }, { reply }])
    const asked = { ...request, questionId: 'q1' }
    await model.ask(asked)
    await model.ask(asked)
    await expect(model.ask(asked)).rejects.toMatchObject({ code: 'budget-spent' })
  })
})

it('the prompt, as the model sees it', () => {
  expect(makeRenderPrompt()('extract-keywords', request).messages).toMatchSnapshot()
})
