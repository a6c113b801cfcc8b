import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client as Postgres } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { spawnCli } from '../helpers/cli/spawn-cli.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'
import { until } from '../helpers/wait.ts'
import { connectClient, spawnMcp, startHttpMcp } from './connect.ts'
import { openShopFolder, type ShopFolder } from './open-shop.ts'

const initialize = {
  ...{ protocolVersion: '2025-06-18', capabilities: {} },
  clientInfo: { name: 'raw', version: '1' },
}

let store: TestDatabase
let shop: ShopFolder

beforeAll(async () => {
  store = await createTestDatabase({ on: 'embedded', migrated: true })
  shop = openShopFolder(store.url)
})

afterAll(async () => {
  shop?.remove()
  await store?.drop()
})

it('a question back is answered after the process that asked it was killed', {
  timeout: 240_000,
}, async () => {
  const first = spawnMcp(shop)
  const asking = await connectClient(first)
  const { data } = await asking.call('ask', { question: 'orders by country' })
  expect(data.status).toBe('needs-clarification')
  const gone = new Promise<void>(resolve => {
    asking.client.onclose = () => resolve()
  })
  process.kill(first.pid ?? 0, 'SIGKILL')
  await gone

  await using later = await connectClient(spawnMcp(shop))
  const option = data.options.findIndex(({ label }: { label: string }) => /shipping/i.test(label)) + 1
  const replied = await later.call('reply', { questionId: data.questionId, option })
  expect(replied.data).toMatchObject({ status: 'answered', questionId: data.questionId })
  expect(replied.data.sql).toContain('shipping_country')
  // The first reply counts, and the answer can be had again.
  const again = await later.call('reply', { questionId: data.questionId, option: 3 - option })
  expect(again.data.sql).toBe(replied.data.sql)
})

it('only the protocol is on standard output', { timeout: 180_000 }, async () => {
  const messages = [
    { id: 1, method: 'initialize', params: initialize },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ].map(message => JSON.stringify({ jsonrpc: '2.0', ...message }))
  const env = { ...shop.env, QUERENT_LOG_LEVEL: 'debug' }
  const { status, out, err } = await spawnCli(['mcp'], { ...shop, env, input: `${messages.join('\n')}\n` })
  expect([status, err]).toEqual([0, expect.not.stringContaining('Error')])
  const replies = out
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect(replies).toEqual([
    expect.objectContaining({ id: 1, result: expect.objectContaining({ serverInfo: expect.anything() }) }),
    expect.objectContaining({ id: 2, result: { tools: expect.any(Array) } }),
  ])
})

it('a question is stopped when its client cancels the call', { timeout: 180_000 }, async () => {
  const stop = new AbortController()
  // A model that never answers: the first call tells that the work is on its way.
  const mute = createServer(() => stop.abort()).listen(0, '127.0.0.1')
  await once(mute, 'listening')
  const { port } = mute.address() as AddressInfo
  const busy = openShopFolder(store.url, { models: { drafter: { model: 'mute' } } })
  const env = { ...busy.env, OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_API_KEY: 'k' }
  const client = new Postgres({ connectionString: store.url })
  await client.connect()
  try {
    await using http = await startHttpMcp({ ...busy, env })
    await using made = await connectClient(http.transport())
    const text = 'Which customers are odd?'
    await expect(
      made.client.callTool({ name: 'ask', arguments: { question: text } }, undefined, {
        signal: stop.signal,
      }),
    ).rejects.toThrow()
    const statusOf = async () =>
      (await client.query('select status from querent.questions where text = $1', [text])).rows[0]?.status
    await until(async () => (await statusOf()) === 'stopped', { waitingFor: 'the question to be stopped' })
  } finally {
    await client.end()
    mute.closeAllConnections()
    mute.close()
    busy.remove()
  }
})
