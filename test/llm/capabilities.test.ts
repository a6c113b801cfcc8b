import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../src/domain/model.ts'
import type { ModelCapabilities } from '../../src/domain/operations/model-capabilities.ts'
import { makeAskModel } from '../../src/llm/ask-model.ts'
import { CallFailure } from '../../src/llm/call-failure.ts'
import type { ModelCall, TaskSettings } from '../../src/llm/call-model.ts'
import { makeCapabilities } from '../../src/llm/capabilities.ts'
import { makeAskForJudgement } from '../../src/llm/model-requests.ts'
import { type Rejection, type SentBody, startChoosyEndpoint } from './choosy-endpoint.ts'

const request: ModelRequest = {
  role: 'judge',
  prompt: 'judge-pair',
  variables: Object.fromEntries(
    [
      'dialect',
      'evidence',
      'thread',
      'first-result',
      'first-statement',
      'question',
      'schema',
      'second-result',
      'second-statement',
      'time',
      'values',
    ].map(name => [name, 'none']),
  ),
}

const reply = JSON.stringify({ difference: 'none', reason: 'They agree.', winner: 'first' })

type Reject = (sent: SentBody) => Rejection | null

const open = async (reject: Reject, settings: Partial<TaskSettings> = {}) => {
  const endpoint = await startChoosyEndpoint(reply, reject)
  const task = { model: 'some-model', temperature: 0, maxTokens: 500, timeoutMs: 10_000, ...settings }
  const ask = makeAskForJudgement(
    makeAskModel({
      connection: endpoint.connection,
      tasks: { drafter: task, fixer: task, judge: task },
      budget: { modelCallsPerQuestion: 50, tokensPerQuestion: 100_000 },
    }),
  )
  return { ...endpoint, ask: () => ask(request) }
}

/** Rejects each request that carries a field, with what the shape says of it. */
const without =
  (field: string, shape: (field: string) => Rejection): Reject =>
  sent =>
    field in sent ? shape(field) : null

/** How servers word a field they do not take. Those marked `named` say which. */
const shapes: Readonly<Record<string, (field: string) => Rejection>> = {
  OpenAI: field => ({
    status: 400,
    body: {
      error: {
        message: `Unsupported parameter: '${field}' is not supported with this model.`,
        type: 'invalid_request_error',
        param: field,
        code: 'unsupported_parameter',
      },
    },
  }),
  'Azure OpenAI': field => ({
    status: 400,
    body: {
      error: {
        message: `Unsupported value: '${field}' does not support 0 with this model. Only the default value is supported.`,
        type: 'invalid_request_error',
        param: field,
        code: 'unsupported_value',
      },
    },
  }),
  LiteLLM: field => ({
    status: 400,
    body: {
      error: {
        message: `litellm.UnsupportedParamsError: openai does not support parameters: ['${field}'], for model=o-something. To drop these, set litellm.drop_params=True`,
        type: 'None',
        param: null,
        code: '400',
      },
    },
  }),
  Anthropic: field => ({
    status: 400,
    body: {
      type: 'error',
      error: { type: 'invalid_request_error', message: `\`${field}\` is deprecated for this model.` },
      request_id: 'req_1',
    },
  }),
  'vLLM, at the top': field => ({
    status: 400,
    body: {
      object: 'error',
      message: `[{'type': 'extra_forbidden', 'loc': ('body', '${field}'), 'msg': 'Extra inputs are not permitted'}]`,
      type: 'BadRequestError',
      param: null,
      code: 400,
    },
  }),
  'vLLM, under error': field => ({
    status: 400,
    body: {
      error: { message: `${field} must be left out`, type: 'BadRequestError', param: null, code: 400 },
    },
  }),
  FastAPI: field => ({
    status: 422,
    body: {
      detail: [{ type: 'extra_forbidden', loc: ['body', field], msg: 'Extra inputs are not permitted' }],
    },
  }),
  Ollama: field => ({ status: 400, body: { error: `invalid option provided: ${field}` } }),
  Google: field => ({
    status: 400,
    body: [{ error: { code: 400, message: `Unknown name "${field}"`, status: 'INVALID_ARGUMENT' } }],
  }),
  'a proxy that names nothing': () => ({ status: 400, body: { error: { message: 'Bad Request' } } }),
  'a proxy that says nothing': () => ({ status: 422, body: {} }),
}

describe.each(Object.entries(shapes))('an endpoint that words it like %s', (name, shape) => {
  const isNamed = !name.startsWith('a proxy')

  it('gets no temperature after its first rejection', async () => {
    await using endpoint = await open(without('temperature', shape))
    expect((await endpoint.ask()).usage.modelCalls).toBe(2)
    await endpoint.ask()
    await endpoint.ask()
    const [first, ...later] = endpoint.fields()
    expect(first).toEqual(['temperature', 'max_tokens', 'response_format'])
    expect(later).toHaveLength(3)
    expect(later.flat()).not.toContain('temperature')
    // The schema is worth keeping, whatever was rejected.
    expect(later.at(-1)).toEqual(isNamed ? ['max_tokens', 'response_format'] : ['response_format'])
  })

  it('gets no token limit once both names of it are rejected', async () => {
    await using endpoint = await open(
      sent => without('max_tokens', shape)(sent) ?? without('max_completion_tokens', shape)(sent),
    )
    expect((await endpoint.ask()).usage.modelCalls).toBe(isNamed ? 3 : 2)
    await endpoint.ask()
    expect(endpoint.fields()).toHaveLength(isNamed ? 4 : 3)
    expect(endpoint.fields().at(-1)).toEqual(
      isNamed ? ['temperature', 'response_format'] : ['response_format'],
    )
  })

  it('gets no schema if that is what it rejects, and keeps the rest', async () => {
    await using endpoint = await open(without('response_format', shape))
    for (const _ of Array(5)) await endpoint.ask()
    expect(endpoint.fields().at(-1)).toEqual(['temperature', 'max_tokens'])
    expect(endpoint.fields().length).toBeLessThanOrEqual(7)
  })
})

it.each([
  ['max_tokens', 'max_completion_tokens', 'a-deployment'],
  ['max_completion_tokens', 'max_tokens', 'gpt-5-mini'],
])('sends a rejected %s as %s and remembers it', async (rejected, taken, model) => {
  const message = `Unsupported parameter: '${rejected}' is not supported with this model. Use '${taken}' instead.`
  await using endpoint = await open(
    without(rejected, () => ({ status: 400, body: { error: { message, param: null } } })),
    { model },
  )
  await endpoint.ask()
  await endpoint.ask()
  expect(endpoint.seen().map(sent => sent[taken])).toEqual([undefined, 500, 500])
})

it('learns of each field in turn if several are rejected', async () => {
  const shape = shapes.Anthropic as (field: string) => Rejection
  await using endpoint = await open(
    sent => without('temperature', shape)(sent) ?? without('response_format', shape)(sent),
  )
  expect((await endpoint.ask()).usage.modelCalls).toBe(3)
  expect((await endpoint.ask()).usage.modelCalls).toBe(1)
  expect(endpoint.fields().at(-1)).toEqual(['max_tokens'])
})

it('does not forget what a call of the same time learned', async () => {
  await using endpoint = await open(without('temperature', shapes.LiteLLM as (field: string) => Rejection))
  await Promise.all([endpoint.ask(), endpoint.ask(), endpoint.ask()])
  const before = endpoint.fields().length
  await endpoint.ask()
  expect(endpoint.fields().slice(before)).toEqual([['max_tokens', 'response_format']])
})

it('sends neither temperature nor token limit if the settings say so', async () => {
  await using endpoint = await open(() => null, { temperature: null, maxTokens: null })
  await endpoint.ask()
  expect(endpoint.fields()).toEqual([['response_format']])
})

describe('a rejection for another reason', () => {
  it.each([
    ['This model has a maximum context length of 8192 tokens, but the prompt has 9000.', null],
    ['The response was filtered due to our content management policy.', 'content_filter'],
    ['Incorrect API key provided', null],
    ['Your credit balance is too low to access the API.', null],
    ['Invalid prompt', 'invalid_prompt'],
  ])('is sent once and reported: %s', async (message, code) => {
    const body = { error: { message, code, param: null } }
    await using endpoint = await open(() => ({ status: 400, body }))
    await expect(endpoint.ask()).rejects.toThrow(message)
    expect(endpoint.fields()).toHaveLength(1)
  })

  it('is sent twice if nothing tells it apart, and its own message is reported', async () => {
    const body = { object: 'error', message: 'The moon is in the wrong house.' }
    await using endpoint = await open(() => ({ status: 400, body }))
    await expect(endpoint.ask()).rejects.toThrow(/rejected the request.*The moon is in the wrong house/)
    expect(endpoint.fields()).toEqual([['temperature', 'max_tokens', 'response_format'], []])
    // Nothing was learned, since nothing helped.
    await expect(endpoint.ask()).rejects.toThrow(/wrong house/)
    expect(endpoint.fields()[2]).toEqual(['temperature', 'max_tokens', 'response_format'])
  })

  it('a long prompt loses its token limit for one request only', async () => {
    const message =
      "'max_tokens' is too large: 500. The maximum context length is 8192 tokens and your request has 8000 input tokens."
    let isLong = true
    await using endpoint = await open(sent =>
      isLong && 'max_tokens' in sent ? { status: 400, body: { object: 'error', message } } : null,
    )
    await endpoint.ask()
    isLong = false
    await endpoint.ask()
    expect(endpoint.fields().map(fields => fields.includes('max_tokens'))).toEqual([true, false, true])
  })
})

/** A book of one model, and an endpoint that rejects what `reject` names, with a status and a message. */
const openBook = (
  reject: (call: ModelCall, able: ModelCapabilities) => readonly [status: number, message: string] | null,
  { baseUrl = 'http://10.0.0.5/v1', model = 'some-model', set = {} as Partial<ModelCapabilities> } = {},
) => {
  const book = makeCapabilities(() => ({ provider: 'openai', apiKey: null, baseUrl, model }), { m: set })
  const sent: ModelCapabilities[] = []
  const ask = book.adapt(async call => {
    const able = call.capabilities as ModelCapabilities
    sent.push(able)
    const rejected = reject(call, able)
    if (rejected === null)
      return { text: '{}', refusal: null, cutOff: false, promptTokens: 1, completionTokens: 1 }
    const [status, message] = rejected
    const facts = { kind: 'rejected', status, code: null, param: null, retryAfterMs: null } as const
    throw new CallFailure(message, facts)
  })
  const call: ModelCall = {
    ...{ model: 'm', temperature: 0, maxTokens: 500, effort: 'low', timeoutMs: 1_000 },
    messages: [{ role: 'system', content: 'Reply with JSON.', endsPrefix: true }],
    format: { name: 'judgement', schema: {} },
    signal: new AbortController().signal,
  }
  return { sent, able: () => book.of('m'), ask: (more: Partial<ModelCall> = {}) => ask({ ...call, ...more }) }
}

describe('one rejection teaches', () => {
  const openRouter = { baseUrl: 'https://openrouter.ai/api/v1', model: 'anthropic/claude-sonnet-4-5' }
  const pro = { baseUrl: 'https://api.openai.com/v1', model: 'gpt-5-pro' }

  it.each([
    [
      'that marks for the prompt cache are not taken',
      (_: ModelCall, { cacheControl }: ModelCapabilities) =>
        cacheControl
          ? ([400, 'messages.0.content.0.cache_control: Extra inputs are not permitted'] as const)
          : null,
      openRouter,
      { cacheControl: false, temperature: true },
    ],
    [
      'that content must be a text',
      (_: ModelCall, { cacheControl }: ModelCapabilities) =>
        cacheControl ? ([422, 'messages[0].content: Input should be a valid string'] as const) : null,
      openRouter,
      { cacheControl: false },
    ],
    [
      'that only JSON objects are taken, as DeepSeek words it',
      (_: ModelCall, { format }: ModelCapabilities) =>
        format === 'json_schema' ? ([400, 'This response_format type is unavailable now'] as const) : null,
      {},
      { format: 'json_object' },
    ],
    [
      'that an effort is not taken, and nothing about a temperature',
      (_: ModelCall, { effort }: ModelCapabilities) =>
        effort ? ([400, 'Unknown parameter: reasoning_effort. A temperature would be fine.'] as const) : null,
      {},
      { effort: false, temperature: true },
    ],
    [
      'that a limit is too large, by whichever name',
      (_: ModelCall, { tokenLimit }: ModelCapabilities) =>
        tokenLimit === 'none'
          ? null
          : ([400, `${tokenLimit} is too large: this model supports at most 100 tokens`] as const),
      {},
      { tokenLimit: 'none' },
    ],
    [
      'that there is no Responses API',
      (_: ModelCall, { api }: ModelCapabilities) => (api === 'chat' ? null : ([404, 'Not Found'] as const)),
      pro,
      { api: 'chat' },
    ],
    [
      'that a deployment has no chat completions, as Azure words it',
      (_: ModelCall, { api }: ModelCapabilities) =>
        api === 'chat'
          ? ([400, 'The chatCompletion operation does not work with the specified model, prod.'] as const)
          : null,
      {},
      { api: 'responses' },
    ],
  ])('%s', async (_, reject, at, learned) => {
    const { sent, able, ask } = openBook(reject, at)
    await ask()
    expect(sent).toHaveLength(2)
    expect(able()).toMatchObject(learned)
    await ask()
    expect(sent).toHaveLength(3)
  })

  it('that one schema cannot be used, and leaves the others', async () => {
    const { sent, able, ask } = openBook(({ format }, { format: form }) =>
      form === 'json_schema' && format?.name === 'judgement'
        ? [400, 'Invalid schema for response_format: $ref is not supported']
        : null,
    )
    await ask()
    await ask()
    await ask({ format: { name: 'keywords', schema: {} } })
    expect(sent.map(({ format }) => format)).toEqual([
      'json_schema',
      'json_object',
      'json_object',
      'json_schema',
    ])
    expect(able().format).toBe('json_schema')
  })

  it('nothing about what is set, and nothing if it did not help', async () => {
    const fixed = openBook(
      (_, { temperature }) => (temperature ? [400, 'temperature is not supported'] : null),
      {
        set: { temperature: true },
      },
    )
    await expect(fixed.ask()).rejects.toThrow(/temperature/)
    expect(fixed.sent).toHaveLength(1)
    const stubborn = openBook(() => [400, 'temperature is not supported'])
    await expect(stubborn.ask()).rejects.toThrow(/temperature/)
    expect(stubborn.sent).toHaveLength(3)
    expect(stubborn.able().temperature).toBe(true)
  })

  it('of an endpoint that rejects everything in a bounded number of requests', async () => {
    const everything = 'temperature, max_tokens, response_format of type json_schema, reasoning_effort'
    const { sent, ask } = openBook(() => [400, `Not supported: ${everything}`])
    await expect(ask()).rejects.toThrow()
    expect(sent.length).toBeLessThanOrEqual(4)
  })
})

it('waiting for a turn takes nothing of the time for a reply', async () => {
  const task = { model: 'slow', temperature: 0, timeoutMs: 1_000 }
  const capabilities = makeCapabilities(
    () => ({ provider: 'openai', apiKey: null, baseUrl: 'http://10.0.0.5/v1', model: 'slow' }),
    { slow: { parallel: 1 } },
  )
  let time = 0
  const ask = makeAskForJudgement(
    makeAskModel({
      connection: { apiKey: null, baseUrl: 'http://10.0.0.5/v1' },
      tasks: { drafter: task, fixer: task, judge: task },
      budget: { modelCallsPerQuestion: 50, tokensPerQuestion: 100_000 },
      now: () => time,
      capabilities,
      callModel: async ({ timeoutMs }) => {
        expect(timeoutMs).toBe(750)
        time += 700
        return { text: reply, refusal: null, cutOff: false, promptTokens: 1, completionTokens: 1 }
      },
    }),
  )
  const all = await Promise.all(Array.from({ length: 5 }, () => ask(request)))
  expect(all).toHaveLength(5)
})
