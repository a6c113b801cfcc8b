import { describe, expect, it } from 'vitest'
import type { InSpan, SpanFacts } from '../../src/domain/operations/telemetry.ts'
import { withSpans } from '../../src/llm/ask-model.ts'
import type { ModelCall } from '../../src/llm/call-model.ts'

describe('the span of a model call', () => {
  it('has the model and the tokens, and nothing of what was said', async () => {
    const seen: [string, SpanFacts][] = []
    const inSpan: InSpan = async (name, facts, work) => {
      const all: Record<string, string | number | boolean> = { ...facts }
      const result = await work({ set: more => void Object.assign(all, more) })
      seen.push([name, all])
      return result
    }
    const call: ModelCall = {
      model: 'm',
      messages: [{ role: 'user', content: 'who earns most?' }],
      format: null,
      temperature: 0,
      maxTokens: null,
      timeoutMs: 1,
      signal: new AbortController().signal,
    }
    const reply = { text: 'Jane', refusal: null, cutOff: false, promptTokens: 9, completionTokens: 2 }
    expect(await withSpans(async () => reply, inSpan)(call)).toBe(reply)
    expect(seen).toEqual([
      ['call-model', { model: 'm', promptTokens: 9, completionTokens: 2, cutOff: false }],
    ])
  })
})
