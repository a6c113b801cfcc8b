import { expect, it } from 'vitest'
import { checkModel } from '../../../src/cli/checks/check-model.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import { type Said, startAnswering } from '../../bootstrap/start-answering.ts'
import { makeFolder } from '../../config/make-folder.ts'

const listing = (...ids: string[]): Said => ({ body: { data: ids.map(id => ({ id })) } })

const check = async (said: Said, yaml = 'models:\n  drafter: { model: sage-1 }\n') => {
  await using endpoint = await startAnswering(said)
  const config = loadConfig({
    cwd: makeFolder({ 'querent.yml': yaml.replaceAll('URL', endpoint.url) }),
    env: { OPENAI_API_KEY: 'sk-1', OPENAI_BASE_URL: `${endpoint.url}/v1/` },
  })
  return { ...(await checkModel(config, AbortSignal.timeout(10_000))), asked: endpoint.asked }
}

it('is not set without a model, and calls nothing', async () => {
  const config = loadConfig({ cwd: makeFolder(), env: {} })
  expect((await checkModel(config, AbortSignal.timeout(10_000))).status).toBe('not-set')
})

it('is ok if the endpoint lists the configured models', async () => {
  const found = await check(listing('sage-1', 'sage-2'))
  expect(found).toMatchObject({ status: 'ok', finding: expect.stringContaining('sage-1') })
  expect(found.asked).toMatchObject([{ url: '/v1/models', headers: { authorization: 'Bearer sk-1' } }])
})

it('says how each model is asked, as far as is known', async () => {
  const yaml = `models:
  drafter: { model: gpt-5-mini, fallbacks: [tiny] }
  capabilities:
    tiny: { format: json_object, parallel: 2 }
`
  const { finding } = await check(listing('gpt-5-mini', 'tiny'), yaml)
  expect(finding).toContain(
    'gpt-5-mini, a reasoning model, is asked with chat completions, max_completion_tokens, json_schema; at most 8 at one time',
  )
  expect(finding).toContain(
    'tiny is asked with chat completions, temperature, max_tokens, json_object; at most 2 at one time',
  )
})

it('does not look for a list at the address of one deployment', async () => {
  const yaml = `models:
  drafter: { model: prod }
  endpoints:
    prod: { baseUrl: 'URL/openai/deployments/prod', apiKey: k }
`
  const found = await check({ status: 404, body: {} }, yaml)
  expect(found).toMatchObject({
    status: 'ok',
    asked: [],
    finding: expect.stringContaining('has no list of models'),
  })
})

it('names models that the endpoint does not list', async () => {
  const found = await check(listing('sage-2'))
  expect(found).toMatchObject({ status: 'broken', finding: expect.stringContaining('does not list sage-1') })
})

it('is ok if the endpoint answers without a list', async () => {
  expect((await check({ body: 'hello' })).status).toBe('ok')
})

it.each([
  [401, 'OPENAI_API_KEY'],
  [404, '/v1'],
])('says what to do if it answers %i', async (status, todo) => {
  const found = await check({ status, body: {} })
  expect(found).toMatchObject({ status: 'broken', todo: expect.stringContaining(todo) })
})

it('is broken if nothing answers', async () => {
  const gone = await startAnswering(listing())
  await gone[Symbol.asyncDispose]()
  const config = loadConfig({
    cwd: makeFolder({ 'querent.yml': 'models:\n  drafter: { model: sage-1 }\n' }),
    env: { OPENAI_BASE_URL: `${gone.url}/v1` },
  })
  const found = await checkModel(config, AbortSignal.timeout(10_000))
  expect(found).toMatchObject({ status: 'broken', finding: `${gone.url}/v1 does not answer` })
})

it('looks for a model at its own endpoint, under its name there', async () => {
  const yaml = `models:
  drafter: { model: sage-1, fallbacks: [local] }
  drafters: [{ model: sage-1 }, { model: far }]
  endpoints:
    local: { baseUrl: URL/other, model: tiny-7b }
    far: { provider: anthropic, model: big, apiKey: k }
`
  const found = await check(listing('sage-1', 'tiny-7b'), yaml)
  const asked = found.asked.map(({ url, headers }) => [url, headers.authorization])
  // The environment's key is for its own address alone.
  expect(asked.sort()).toEqual([
    ['/other/models', undefined],
    ['/v1/models', 'Bearer sk-1'],
  ])
  // No package of another provider comes with the house.
  expect(found).toMatchObject({ status: 'broken', todo: expect.stringContaining('Install the package') })
  expect(found.finding).toContain('answers; configured: sage-1; ')
  expect(found.finding).toContain('models.endpoints.far: the provider anthropic needs the package')
})

it('calls nothing if replies are replayed', async () => {
  const cwd = makeFolder({ 'querent.yml': 'models: {drafter: {model: sage-1}}' })
  const config = loadConfig({ cwd, env: { QUERENT_LLM: 'replay', OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' } })
  const found = await checkModel(config, AbortSignal.timeout(10_000))
  expect(found).toMatchObject({ status: 'ok', finding: expect.stringContaining('recorded') })
})

it.each(['reader:hunter2@', 'hunter2@'])('shows no credentials of an address: %s', async credentials => {
  const config = loadConfig({
    cwd: makeFolder({ 'querent.yml': 'models:\n  drafter: { model: sage-1 }\n' }),
    env: { OPENAI_BASE_URL: `http://${credentials}127.0.0.1:9/v1` },
  })
  const found = await checkModel(config, AbortSignal.timeout(10_000))
  expect(found).toMatchObject({ status: 'broken', todo: expect.stringContaining('apiKey') })
  expect(JSON.stringify(found)).not.toContain('hunter2')
})
