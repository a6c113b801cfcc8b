import { expect, it } from 'vitest'
import { type ModelCall, type ModelEndpoint, makeFindEndpoint } from '../../src/llm/call-model.ts'
import { knownCapabilities } from '../../src/llm/known-models.ts'
import { checkProvider, makeProviderModel } from '../../src/llm/provider-model.ts'
import { type Exchange, startModelServer } from './model-server.ts'

const call: ModelCall = {
  model: 'some-model',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'How many?' },
  ],
  format: { name: 'answer', schema: { type: 'object' } },
  temperature: 0.5,
  maxTokens: 300,
  timeoutMs: 5_000,
  signal: new AbortController().signal,
}

/** The one provider whose package comes with the house, taken the way of all the others. */
const play = async (script: readonly Exchange[]) => {
  const server = await startModelServer(script)
  const endpoint: ModelEndpoint = { ...server.connection, provider: 'openai', model: 'some-model' }
  return { ...server, callModel: makeProviderModel(endpoint) }
}

it('sends the messages and settings, and reads text, tokens and the end', async () => {
  await using model = await play([
    { reply: '{"n": 3}', usage: [40, 5] },
    { reply: '{"n":', finish: 'length' },
  ])
  expect(await model.callModel(call)).toEqual({
    ...{ text: '{"n": 3}', refusal: null, cutOff: false },
    ...{ promptTokens: 40, completionTokens: 5 },
  })
  expect(model.seen()[0]).toMatchObject({ model: 'some-model', temperature: 0.5 })
  expect(model.seen()[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(model.seen()[0]?.response_format).toBeUndefined()
  expect((await model.callModel(call)).cutOff).toBe(true)
})

it('leaves out what the model does not take, and marks the system message where marks are taken', async () => {
  await using model = await play([{ reply: '{}' }])
  const known = knownCapabilities({
    provider: 'anthropic',
    model: 'claude-opus-4-7',
    baseUrl: null,
    apiKey: null,
  })
  const messages = call.messages.map(message =>
    message.role === 'system' ? { ...message, endsPrefix: true as const } : message,
  )
  await model.callModel({ ...call, messages, capabilities: known })
  const [sent] = model.seen()
  expect(sent?.temperature).toBeUndefined()
  expect(sent?.messages.map(({ content }) => content)).toEqual([
    [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
    'How many?',
  ])
})

it.each([
  [
    { status: 429, retryAfter: 2 },
    { kind: 'rate-limited', status: 429, retryAfterMs: 2_000 },
  ],
  [{ status: 503 }, { kind: 'server-error', status: 503 }],
  [
    { status: 401, error: { message: 'no a-key-nobody-may-see' } },
    { kind: 'rejected', status: 401 },
  ],
] as const)('%j is a failure of its kind, tried once, without the key', async (exchange, facts) => {
  await using model = await play([exchange])
  const error: unknown = await model.callModel(call).catch((error: unknown) => error)
  expect(error).toMatchObject({ name: 'CallFailure', facts })
  expect(String(error)).not.toContain('nobody-may-see')
  expect(model.seen()).toHaveLength(1)
})

it('a prompt that is too long is a rejection, although the package hides its status', async () => {
  const error = { message: 'The maximum context length is 8192 tokens.', code: 'context_length_exceeded' }
  await using model = await play([{ status: 400, error }])
  await expect(model.callModel(call)).rejects.toMatchObject({ facts: { kind: 'rejected', status: 400 } })
})

it('fails after its timeout', async () => {
  await using model = await play([{ lateBy: 3_000 }])
  await expect(model.callModel({ ...call, timeoutMs: 200 })).rejects.toMatchObject({
    facts: { kind: 'timed-out' },
  })
})

it('a package that is not installed is named, with how to install it', async () => {
  const endpoint = { ...{ provider: 'anthropic', model: 'm', name: 'sonnet' }, apiKey: null, baseUrl: null }
  await expect(checkProvider(endpoint)).rejects.toMatchObject({
    code: 'bad-configuration',
    message:
      'models.endpoints.sonnet: the provider anthropic needs the package @langchain/anthropic, which is not installed; run: npm install @langchain/anthropic',
  })
  await expect(checkProvider({ ...endpoint, provider: 'constructor' })).rejects.toThrow(
    /no provider constructor; known: openai, anthropic/,
  )
  await checkProvider({ ...endpoint, provider: 'openai' })
})

it("the environment's key goes to the environment's address alone", () => {
  const find = makeFindEndpoint(
    { apiKey: 'own', baseUrl: 'http://own/v1' },
    {
      renamed: { provider: 'openai', model: 'real-name', baseUrl: null, apiKey: null },
      elsewhere: { provider: 'openai', model: 'elsewhere', baseUrl: 'http://else/v1', apiKey: null },
      claude: { provider: 'anthropic', model: 'claude', baseUrl: null, apiKey: 'its-own' },
    },
  )
  expect(find('plain')).toMatchObject({ model: 'plain', apiKey: 'own', baseUrl: 'http://own/v1' })
  expect(find('renamed')).toMatchObject({ model: 'real-name', apiKey: 'own', baseUrl: 'http://own/v1' })
  expect(find('elsewhere')).toMatchObject({ apiKey: null, baseUrl: 'http://else/v1', name: 'elsewhere' })
  expect(find('claude')).toMatchObject({ apiKey: 'its-own', baseUrl: null })
  expect(find('constructor')).toMatchObject({ model: 'constructor', provider: 'openai' })
})
