import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'
import { connectClient, type HttpMcp, startHttpMcp } from './connect.ts'
import { openShopFolder, type ShopFolder } from './open-shop.ts'

const [ada, bob] = ['a1'.repeat(20), 'b2'.repeat(20)]

const signingSecret = 'a-signing-secret'

/** The members of a workspace, and the channels that each shares with the bot. */
const people: Readonly<Record<string, { readonly user: object; readonly channels: readonly object[] }>> = {
  U00000ADA: {
    user: { id: 'U00000ADA', team_id: 'T0000TEAM' },
    channels: [{ id: 'C00000PETS', name: 'pets' }],
  },
  U000000BO: { user: { id: 'U000000BO', team_id: 'T0000TEAM' }, channels: [] },
  U0000GONE: { user: { id: 'U0000GONE', team_id: 'T0000TEAM', deleted: true }, channels: [] },
}

/** The part of Slack's Web API that says who people are. It fails on everything else. */
const slack = createServer((asked, response) => {
  let body = ''
  asked.on('data', chunk => {
    body += String(chunk)
  })
  asked.on('end', () => {
    const person = people[new URLSearchParams(body).get('user') ?? '']
    const replies: Readonly<Record<string, object | undefined>> = {
      '/users.info': person && { ok: true, user: person.user },
      '/users.conversations': person && { ok: true, channels: person.channels },
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(replies[asked.url ?? ''] ?? { ok: false, error: 'user_not_found' }))
  })
})

let store: TestDatabase
let shop: ShopFolder
let http: HttpMcp

beforeAll(async () => {
  store = await createTestDatabase({ on: 'embedded', migrated: true })
  await new Promise<void>(resolve => slack.listen(0, '127.0.0.1', resolve))
  const { port } = slack.address() as AddressInfo
  const opened = openShopFolder(store.url, {
    channels: { pets: { database: 'pets' } },
    directMessages: { database: 'shop', mayAsk: ['U00000ADA', 'U0000GONE'] },
    rateLimits: { personPerMinute: 6 },
    mcp: {
      slack: true,
      hosts: ['querent.example.com'],
      tokens: {
        ada: { token: ada, person: 'U00000ADA', team: 'T0000TEAM' },
        bob: { token: bob, person: 'bob', databases: ['pets'] },
      },
    },
  })
  const env = {
    ...opened.env,
    SLACK_SIGNING_SECRET: signingSecret,
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_API_URL: `http://127.0.0.1:${port}/`,
  }
  shop = { ...opened, env }
  http = await startHttpMcp(shop)
})

afterAll(async () => {
  await http?.[Symbol.asyncDispose]()
  slack.closeAllConnections()
  slack.close()
  shop?.remove()
  await store?.drop()
})

interface Reply {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly message: string
  readonly body: string
}

/** Sends a request as any program could, with headers that browsers and clients of the SDK do not let one set. */
const send = (
  body: string,
  { method = 'POST', path = '/mcp', headers = {} }: { method?: string; path?: string; headers?: object } = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const sent = request(
      new URL(path, http.url),
      {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      response => {
        let text = ''
        response.on('data', chunk => {
          text += String(chunk)
        })
        response.on('error', reject)
        response.on('end', () => {
          const message = /"message":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? ''
          resolve({ status: response.statusCode, headers: response.headers, message, body: text })
        })
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('a request is refused', () => {
  it('without a token, or with one that is not known, and says what to send', async () => {
    const none = await send(initialize)
    expect([none.status, none.headers['www-authenticate']]).toEqual([401, 'Bearer realm="querent"'])
    expect(none.message).toContain('Authorization: Bearer TOKEN')
    for (const token of ['x', `${ada}x`, ada.slice(1)])
      expect(await send(initialize, { headers: bearer(token) })).toMatchObject({
        status: 401,
        message: expect.stringContaining('mcp.tokens'),
      })
  })

  it.each([
    ['of another host', { host: 'evil.example' }, 403, 'mcp.hosts'],
    ['from a web page of another host', { origin: 'https://evil.example' }, 403, 'evil.example'],
    ['from no web page that has a name', { origin: 'null' }, 403, 'may not call'],
  ])('%s, whatever its token', async (_, headers, status, message) => {
    const reply = await send(initialize, { headers: { ...bearer(ada), ...headers } })
    expect(reply.status).toBe(status)
    expect(reply.message).toContain(message)
  })

  it.each([
    ['is too large', 'x'.repeat(1_000_001), {}, 413],
    ['is not JSON', '{', {}, 400],
    ['is a list', '[]', {}, 400],
    ['has no session', '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', {}, 400],
    ['has a session that there is not', '{}', { headers: { 'mcp-session-id': 'none' } }, 404],
    ['is for another path', '', { path: '/', method: 'GET' }, 404],
    ['has another method', '', { method: 'PUT' }, 405],
  ])('that %s', async (_, body, how, status) => {
    const headers = { ...bearer(ada), ...('headers' in how ? how.headers : {}) }
    expect((await send(body, { ...how, headers })).status).toBe(status)
  })

  it('in the session of another token', async () => {
    const begun = await send(initialize, { headers: bearer(ada) })
    const session = String(begun.headers['mcp-session-id'])
    const list = '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
    const own = { ...bearer(ada), 'mcp-session-id': session }
    expect((await send(list, { headers: own })).status).toBe(200)
    expect((await send(list, { headers: { ...own, ...bearer(bob) } })).status).toBe(404)
  })
})

it('is taken under a name that querent.yml has', async () => {
  const headers = { ...bearer(ada), host: 'querent.example.com', origin: 'https://querent.example.com' }
  expect((await send(initialize, { headers })).status).toBe(200)
})

describe('a token', () => {
  it('asks only its databases', async () => {
    await using made = await connectClient(http.transport(bob))
    const pets = await made.call('run_sql', { sql: 'SELECT name FROM pets' })
    expect(pets.data).toMatchObject({ database: 'pets', rows: [['Rex']] })
    for (const name of ['search_schema', 'list_metrics', 'list_verified_queries']) {
      const refused = await made.call(name, { database: 'shop' })
      expect([refused.isError, refused.text]).toEqual([
        true,
        expect.stringContaining('Ask one of these: pets.'),
      ])
    }
    const path = await made.call('run_sql', { sql: 'SELECT 1', database: 'sqlite:shop.sqlite' })
    expect(path.isError).toBe(true)
  })

  it('with a team asks what Slack allows the person: direct messages and their channels', async () => {
    await using made = await connectClient(http.transport(ada))
    const found = await made.call('search_schema')
    expect(found.data).toMatchObject({ database: 'shop', databases: ['shop', 'pets'] })
  })

  it('cannot reply to a question of someone else', async () => {
    await using made = await connectClient(http.transport(ada))
    const asked = await made.call('ask', { question: 'orders by country' })
    await using other = await connectClient(http.transport(bob))
    const refused = await other.call('reply', { questionId: asked.data.questionId, option: 1 })
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining('You have no question')])
  })

  it('has the limits of its person', async () => {
    await using made = await connectClient(http.transport(bob))
    const texts: string[] = []
    for (let i = 0; i < 7; i++) texts.push((await made.call('run_sql', { sql: 'SELECT 1 AS one' })).text)
    expect(texts.at(-1)).toContain('You have reached the limit of 6 questions a minute.')
  })
})

describe("Slack's own client", () => {
  const call = (name: string, args: object, slackMeta: object | null): string =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'tools/call',
      params: { name, arguments: args, ...(slackMeta && { _meta: { slack: slackMeta } }) },
    })
  const signed = (body: string, { secret = signingSecret, ageSeconds = 0 } = {}) => {
    const at = String(Math.floor(Date.now() / 1000) - ageSeconds)
    const signature = `v0=${createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex')}`
    return { 'x-slack-request-timestamp': at, 'x-slack-signature': signature }
  }
  const search = (user_id: string) => call('search_schema', {}, { user_id, team_id: 'T0000TEAM' })

  it('lists the tools and asks with the rights of the signed person, without a session', async () => {
    const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    const listed = await send(list, { headers: signed(list) })
    expect([listed.status, listed.body]).toEqual([200, expect.stringContaining('"ask"')])
    const body = search('U00000ADA')
    const found = await send(body, { headers: signed(body) })
    expect(found.body).toContain('orders')
    expect(found.headers['mcp-session-id']).toBeUndefined()
  })

  it.each([
    ['may not ask anywhere', 'U000000BO'],
    ['has left', 'U0000GONE'],
    ['is not known', 'U00NOBODY'],
  ])('is refused for a person who %s', async (_, person) => {
    const body = search(person)
    const { status, body: text } = await send(body, { headers: signed(body) })
    expect([status, text]).toEqual([200, expect.stringContaining('"isError":true')])
    expect(text).not.toContain('orders')
  })

  it('is refused if nobody is named', async () => {
    const body = call('search_schema', {}, null)
    expect((await send(body, { headers: signed(body) })).body).toContain('Slack did not say who is asking')
  })

  it('is refused with a wrong or old signature, and if the body was changed', async () => {
    const body = search('U00000ADA')
    const headers = [
      signed(body, { secret: 'another' }),
      signed(body, { ageSeconds: 301 }),
      signed(search('U000000BO')),
      { ...signed(body), 'x-slack-signature': 'v0=' },
      { 'x-slack-signature': signed(body)['x-slack-signature'] },
    ]
    for (const one of headers) {
      const reply = await send(body, { headers: one })
      expect([reply.status, reply.message]).toEqual([401, expect.stringContaining('not signed by Slack')])
    }
  })
})

it('what a person reads counts for them, in every process', { timeout: 120_000 }, async () => {
  const limited = openShopFolder(store.url, {
    budget: { rowsPerUserPerDay: 4 },
    mcp: {
      tokens: { ada: { token: ada, person: 'reader' }, bob: { token: bob, person: 'other' } },
    },
  })
  const sql = 'SELECT id FROM orders'
  try {
    {
      await using first = await startHttpMcp(limited)
      await using made = await connectClient(first.transport(ada))
      expect((await made.call('run_sql', { sql })).data).toMatchObject({ rowCount: 4, truncated: true })
    }
    await using second = await startHttpMcp(limited)
    await using made = await connectClient(second.transport(ada))
    for (const [tool, args] of [
      ['run_sql', { sql }],
      ['query_metric', { metrics: ['net_revenue'] }],
    ] as const)
      expect(await made.call(tool, args)).toMatchObject({
        isError: true,
        text: expect.stringContaining('4 of 4 rows were read for you today'),
      })
    const asked = await made.call('ask', { question: 'How many orders are there?' })
    expect(asked.data.status).toBe('refused')
    await using other = await connectClient(second.transport(bob))
    expect((await other.call('run_sql', { sql })).data.rowCount).toBe(4)
  } finally {
    limited.remove()
  }
})
