import { describe, expect, it } from 'vitest'
import { makeBudgets } from '../../src/llm/budget.ts'
import type { ModelCall } from '../../src/llm/call-model.ts'
import { makeUsageMeter } from '../../src/llm/usage-meter.ts'

const call: ModelCall = {
  ...{ model: 'big', messages: [], format: null, temperature: 0, maxTokens: null },
  ...{ timeoutMs: 1000, signal: new AbortController().signal },
}

describe('a request to a model', () => {
  it('is told of with its tokens, money and time, also when it fails', async () => {
    const told: unknown[] = []
    let clock = 0
    const limits = { modelCallsPerQuestion: 5, tokensPerQuestion: 1000, modelTimePerQuestionMs: 60_000 }
    const meter = makeUsageMeter({
      role: 'drafter',
      budget: makeBudgets(limits, () => clock)('q').forRole('drafter', 1),
      prices: { big: { prompt: 1, completion: 2 } },
      modelCall: given => void told.push(given),
      now: () => clock,
    })
    const answers = meter.metered(async () => {
      clock += 700
      return {
        ...{ text: '{}', refusal: null, cutOff: false },
        ...{ promptTokens: 100, completionTokens: 50 },
      }
    })
    const fails = meter.metered(async () => {
      clock += 20
      throw new Error('no')
    })
    await answers(call, { isRepeat: false })
    await expect(fails(call, { isRepeat: false })).rejects.toThrow('no')
    expect(told).toEqual([
      {
        ...{ role: 'drafter', model: 'big', outcome: 'ok', promptTokens: 100, completionTokens: 50 },
        ...{ money: 0.0002, milliseconds: 700 },
      },
      {
        ...{ role: 'drafter', model: 'big', outcome: 'failed', promptTokens: 0, completionTokens: 0 },
        ...{ money: 0, milliseconds: 20 },
      },
    ])
  })

  it('that repeats another in another form is counted, but not against the calls of the question', async () => {
    const limits = { modelCallsPerQuestion: 1, tokensPerQuestion: 1000 }
    const meter = makeUsageMeter({
      role: 'drafter',
      budget: makeBudgets(limits, () => 0)('q').forRole('drafter'),
      now: () => 0,
    })
    const reply = { text: '{}', refusal: null, cutOff: false, promptTokens: 100, completionTokens: 50 }
    const send = meter.metered(async () => ({ ...reply, cachedTokens: 80 }))
    await send(call, { isRepeat: false })
    await send(call, { isRepeat: true })
    expect(meter.usage()).toEqual({
      ...{ modelCalls: 2, promptTokens: 200, completionTokens: 100, cachedTokens: 160 },
    })
    await expect(send(call, { isRepeat: false })).rejects.toThrow(/1 model calls/)
  })
})
