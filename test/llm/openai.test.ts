import { describe, expect, it } from 'vitest'
import type { ModelCall } from '../../src/llm/call-model.ts'
import { makeOpenAi } from '../../src/llm/openai.ts'
import { startModelServer } from './model-server.ts'

const call: ModelCall = {
  model: 'some-model',
  messages: [{ role: 'user', content: 'Say something.' }],
  format: { name: 'something', schema: { type: 'object', properties: {}, additionalProperties: false } },
  temperature: 0,
  maxTokens: 50,
  timeoutMs: 2_000,
  signal: new AbortController().signal,
}

// The second one is a model that the client knows to speak the Responses API alone.
describe.each([['some-model'], ['gpt-5.2-pro']])('a reply of %s', model => {
  it('arrives whole and with its tokens although it is not JSON', async () => {
    await using server = await startModelServer([{ reply: '{"half": ' }])
    const reply = await makeOpenAi(server.connection)({ ...call, model })
    expect(reply).toMatchObject({ text: '{"half": ', refusal: null, cutOff: false })
    expect(reply.promptTokens + reply.completionTokens).toBeGreaterThan(0)
  })

  it('that was cut off says so', async () => {
    await using server = await startModelServer([{ reply: '{"half": ', finish: 'length' }])
    expect(await makeOpenAi(server.connection)({ ...call, model })).toMatchObject({ cutOff: true })
  })
})

it('leaves out what it is told to leave out', async () => {
  await using server = await startModelServer([{ reply: 'hello' }])
  await makeOpenAi(server.connection)({ ...call, format: null, temperature: null, maxTokens: null })
  const fields = Object.keys(server.seen()[0] ?? {})
  expect(fields).toContain('messages')
  for (const field of ['response_format', 'temperature', 'max_tokens']) expect(fields).not.toContain(field)
})
