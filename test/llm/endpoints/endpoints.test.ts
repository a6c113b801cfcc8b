import { describe, expect, it } from 'vitest'
import { startAnthropic } from './anthropic.ts'
import { openModels } from './ask-endpoint.ts'
import { startAzure } from './azure.ts'
import { startLiteLlm } from './litellm.ts'
import { startOllama } from './ollama.ts'
import { startOpenAiChat } from './openai-chat.ts'
import { startOpenAi } from './openai-responses.ts'
import { hasCacheMark, type startEndpoint } from './start-endpoint.ts'
import { startVllm } from './vllm.ts'

type Start = () => ReturnType<typeof startEndpoint>

/** How many requests the first call takes. Those beyond one only find out what the endpoint takes. */
interface Case {
  readonly name: string
  readonly start: Start
  readonly path?: string
  readonly model: string
  readonly requests: number
  readonly more?: readonly string[]
}

const qwen = 'Qwen/Qwen2.5-Coder-32B-Instruct'

const cases: readonly Case[] = [
  { name: 'OpenAI, a reasoning model', start: startOpenAiChat, model: 'gpt-5-mini', requests: 1 },
  { name: 'OpenAI, another', start: startOpenAiChat, model: 'gpt-4.1-mini', requests: 1 },
  { name: 'OpenAI, without schemas', start: startOpenAiChat, model: 'gpt-4-turbo', requests: 1 },
  {
    name: 'OpenAI, a reasoning model by another name',
    start: startOpenAiChat,
    model: 'ft-alias-of-gpt-5',
    requests: 3,
  },
  { name: 'OpenAI Responses, found out', start: startOpenAi, model: 'gpt-5-pro', requests: 2 },
  {
    name: 'OpenAI Responses, set',
    start: startOpenAi,
    model: 'gpt-5-codex',
    more: ['capabilities: { gpt-5-codex: { api: responses } }'],
    requests: 1,
  },
  { name: 'Azure, its newer path', start: startAzure, path: '/openai/v1', model: 'prod', requests: 3 },
  { name: 'Azure, another deployment', start: startAzure, path: '/openai/v1', model: 'cheap', requests: 1 },
  {
    name: 'Azure, the target URI of a deployment',
    start: startAzure,
    path: '/openai/deployments/prod/chat/completions?api-version=2025-01-01-preview',
    model: 'prod',
    requests: 3,
  },
  {
    name: 'Azure, a deployment without a version',
    start: startAzure,
    path: '/openai/deployments/cheap',
    model: 'cheap',
    requests: 1,
  },
  { name: 'Anthropic, without temperature', start: startAnthropic, model: 'claude-opus-4-7', requests: 1 },
  { name: 'Anthropic, with temperature', start: startAnthropic, model: 'claude-sonnet-4-5', requests: 1 },
  { name: 'Anthropic, under another name', start: startAnthropic, model: 'thinker', requests: 2 },
  { name: 'vLLM', start: () => startVllm({ servedName: qwen }), model: qwen, requests: 1 },
  {
    name: 'vLLM without structured outputs',
    start: () => startVllm({ servedName: qwen, hasGuidedDecoding: false }),
    model: qwen,
    requests: 2,
  },
  {
    name: 'vLLM, a name with codex',
    start: () => startVllm({ servedName: 'our-codex-7b' }),
    model: 'our-codex-7b',
    requests: 1,
  },
  {
    name: "vLLM, the name of OpenAI's",
    start: () => startVllm({ servedName: 'gpt-5-codex' }),
    model: 'gpt-5-codex',
    requests: 1,
  },
  { name: 'Ollama', start: startOllama, model: 'qwen2.5-coder:14b', requests: 1 },
  { name: 'Ollama, a name with codex', start: startOllama, model: 'my-codex:7b', requests: 1 },
  { name: 'LiteLLM, a known name', start: startLiteLlm, model: 'gpt-5-mini', requests: 1 },
  { name: 'LiteLLM, a name of its own', start: startLiteLlm, model: 'smart', requests: 2 },
  { name: 'LiteLLM, Claude', start: startLiteLlm, model: 'claude-sonnet-4-5', requests: 1 },
]

/** What a person can get wrong there: Ollama wants no key, and the path of a deployment names its model. */
const mistakesIn = ({ start, path }: { start: Start; path: string }) => [
  ...(start === startOllama ? [] : [['a wrong key', { key: 'sk-wrong-key' }] as const]),
  ...(path.includes('/deployments/') ? [] : [['an unknown model', { model: 'nobody-s-model' }] as const]),
]

describe.each(cases)('$name', ({ start, path = '/v1', model, requests, more = [] }) => {
  it(`answers with its name and key after ${requests} requests, and wastes none afterwards`, async () => {
    await using endpoint = await start()
    const { ask } = await openModels({ model, address: `${endpoint.url}${path}`, more })
    const first = await ask()
    expect(first.value.winner).toBe('first')
    expect(first.usage.modelCalls).toBe(requests)
    for (const _ of Array(3)) expect((await ask()).usage.modelCalls).toBe(1)
    expect(endpoint.statuses().slice(requests - 1)).toEqual([200, 200, 200, 200])
  })

  it(`pays for ${requests} requests once, whatever asks at the same time`, async () => {
    await using endpoint = await start()
    const { ask } = await openModels({ model, address: `${endpoint.url}${path}`, more })
    await Promise.all(Array.from({ length: 21 }, () => ask('one-question')))
    expect(endpoint.statuses().filter(status => status !== 200)).toHaveLength(requests - 1)
    expect(endpoint.served()).toHaveLength(21 + requests - 1)
    expect(endpoint.mostOpen()).toBeLessThanOrEqual(8)
  })

  it.each(mistakesIn({ start, path }))('fails once for all that wait with %s', async (_, wrong) => {
    await using endpoint = await start()
    const setup = { model, address: `${endpoint.url}${path}`, ...wrong }
    const { ask } = await openModels({ ...setup, more: more.map(line => line.replace(model, setup.model)) })
    const settled = await Promise.allSettled(Array.from({ length: 21 }, () => ask('one-question')))
    const messages = settled.map(one => (one.status === 'rejected' ? String(one.reason.message) : 'answered'))
    expect(new Set(messages).size).toBe(1)
    expect(messages[0]).toMatch(/key|no model|rejected the request/)
    expect(messages[0]).not.toContain('sk-wrong-key')
    expect(endpoint.served()).toHaveLength(1)
  })
})

it('no field is sent that one endpoint was only assumed to take', async () => {
  await using endpoint = await startOllama()
  const { ask } = await openModels({ model: 'my-codex:7b', address: `${endpoint.url}/v1` })
  await ask()
  const [sent] = endpoint.served()
  expect(sent?.path).toBe('/v1/chat/completions')
  expect(Object.keys(sent?.body ?? {}).sort()).toEqual(
    ['max_tokens', 'messages', 'model', 'response_format', 'stream', 'temperature'].sort(),
  )
})

describe('an effort', () => {
  const withEffort = ['judge: { effort: low }']

  it('is sent to a reasoning model by either API', async () => {
    await using endpoint = await startOpenAi()
    for (const model of ['gpt-5-mini', 'gpt-5-pro'])
      await (await openModels({ model, address: `${endpoint.url}/v1`, more: withEffort })).ask()
    const [chat, , responses] = endpoint.served()
    expect(chat?.body.reasoning_effort).toBe('low')
    expect(responses?.body.reasoning).toEqual({ effort: 'low' })
  })

  it.each([
    ['known', startOpenAiChat, 'gpt-4.1-mini', 0],
    ['learned from LiteLLM', startLiteLlm, 'cheap', 1],
    ['learned from Ollama', startOllama, 'my-codex:7b', 1],
  ] as const)('is left out where it is not taken: %s', async (_, start, model, rejected) => {
    await using endpoint = await start()
    const { ask } = await openModels({ model, address: `${endpoint.url}/v1`, more: withEffort })
    await ask()
    await ask()
    expect(endpoint.statuses().filter(status => status !== 200)).toHaveLength(rejected)
    expect(endpoint.served().at(-1)?.body.temperature).toBe(0)
  })
})

describe('the prompt cache', () => {
  it('is marked at the end of the system message once LiteLLM shows its name, for Claude alone', async () => {
    await using endpoint = await startLiteLlm()
    const address = `${endpoint.url}/v1`
    const claude = await openModels({ model: 'claude-sonnet-4-5', address })
    expect((await claude.ask()).usage.cachedTokens).toBe(0)
    expect((await claude.ask()).usage.cachedTokens).toBe(80)
    const other = await openModels({ model: 'gpt-5-mini', address })
    await other.ask()
    await other.ask()
    expect(endpoint.served().map(hasCacheMark)).toEqual([false, true, false, false])
    expect(endpoint.served()[1]?.body.messages).toEqual([
      { role: 'system', content: [expect.objectContaining({ cache_control: { type: 'ephemeral' } })] },
      { role: 'user', content: expect.any(String) },
    ])
  })

  it.each([
    ['claude-sonnet-4-5', false, 0],
    ['cheap', true, 2],
  ])('is marked as it is set: %s %s', async (model, cacheControl, marked) => {
    await using endpoint = await startLiteLlm()
    const more = [`capabilities: { ${model}: { cacheControl: ${cacheControl} } }`]
    const { ask } = await openModels({ model, address: `${endpoint.url}/v1`, more })
    await ask()
    await ask()
    expect(endpoint.served().filter(hasCacheMark)).toHaveLength(marked)
  })

  it('counts what an endpoint reports, and nothing where it reports none', async () => {
    await using openAi = await startOpenAi()
    for (const model of ['gpt-5-mini', 'gpt-5-pro']) {
      const { ask } = await openModels({ model, address: `${openAi.url}/v1` })
      expect((await ask()).usage.cachedTokens).toBe(64)
    }
    await using vllm = await startVllm({ servedName: qwen })
    const { ask } = await openModels({ model: qwen, address: `${vllm.url}/v1` })
    expect((await ask()).usage.cachedTokens).toBeUndefined()
  })
})

it('all that wait for a model that is not there ask the next one at once', async () => {
  await using endpoint = await startLiteLlm()
  const { ask } = await openModels({
    model: 'gone',
    address: `${endpoint.url}/v1`,
    more: ['judge: { fallbacks: [cheap] }'],
  })
  await Promise.all(Array.from({ length: 6 }, () => ask()))
  expect(endpoint.served().map(({ body }) => body.model)).toEqual(['gone', ...Array(6).fill('cheap')])
})

it('a limit is added where one is needed, and nowhere else', async () => {
  await using strict = await startAnthropic({ needsLimit: true })
  const asked = { model: 'claude-opus-4-7', maxTokens: null }
  const { ask } = await openModels({ ...asked, address: `${strict.url}/v1` })
  expect((await ask()).usage.modelCalls).toBe(2)
  expect((await ask()).usage.modelCalls).toBe(1)
  expect(strict.served().map(({ body }) => body.max_tokens)).toEqual([undefined, 8192, 8192])
  await using usual = await startAnthropic()
  await (await openModels({ ...asked, address: `${usual.url}/v1` })).ask()
  expect(usual.served()[0]?.body.max_tokens).toBeUndefined()
})

describe('what is set', () => {
  it('is sent although the endpoint rejects it, which is then reported', async () => {
    await using endpoint = await startOpenAiChat()
    const more = ['capabilities: { gpt-5-mini: { temperature: true } }']
    const { ask } = await openModels({ model: 'gpt-5-mini', address: `${endpoint.url}/v1`, more })
    await expect(ask()).rejects.toThrow(/'temperature' does not support 0/)
    expect(endpoint.served()).toHaveLength(1)
  })

  it('caps parallel conversations', async () => {
    await using endpoint = await startOllama()
    const more = ["capabilities: { 'my-codex:7b': { parallel: 3 } }"]
    const { ask } = await openModels({ model: 'my-codex:7b', address: `${endpoint.url}/v1`, more })
    await Promise.all(Array.from({ length: 12 }, () => ask()))
    expect(endpoint.mostOpen()).toBeLessThanOrEqual(3)
    expect(endpoint.mostOpen()).toBeGreaterThan(1)
  })
})

describe('the calls of a question', () => {
  it('are not spent by requests that only find out what the endpoint takes', async () => {
    await using endpoint = await startAzure()
    const { ask } = await openModels({
      model: 'prod',
      address: `${endpoint.url}/openai/v1`,
      rest: ['budget: { modelCallsPerQuestion: 8 }'],
      more: ['judge: { budgetShare: 1 }'],
    })
    const settled = await Promise.allSettled(Array.from({ length: 10 }, () => ask('q')))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
    // Two rejections taught; eight calls were answered.
    expect(endpoint.served()).toHaveLength(10)
  })
})

it('says whether a model reasons, by its name or by what its reply shows', async () => {
  await using endpoint = await startOpenAiChat()
  const { ask, models } = await openModels({ model: 'ft-alias-of-gpt-5', address: `${endpoint.url}/v1` })
  expect(models.isReasoning('gpt-5-mini')).toBe(true)
  expect(models.isReasoning('gpt-4.1-mini')).toBe(false)
  expect(models.isReasoning('ft-alias-of-gpt-5')).toBe(false)
  await ask()
  expect(models.isReasoning('ft-alias-of-gpt-5')).toBe(true)
})
