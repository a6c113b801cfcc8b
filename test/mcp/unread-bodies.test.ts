import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { type McpHttpServer, serveMcpHttp } from '../../src/mcp/http/serve.ts'
import type { McpUseCases } from '../../src/mcp/use-cases.ts'
import { sendRaw } from '../helpers/raw-request.ts'

// Over real sockets: what strangers can make the MCP server read and hold.

const token = 'a1'.repeat(20)

const slackSigningSecret = 'a-signing-secret'

let server: McpHttpServer
let port = 0
const complaints: string[] = []

beforeAll(async () => {
  server = await serveMcpHttp({
    // Nothing here gets as far as a tool.
    useCases: {} as McpUseCases,
    place: { host: '127.0.0.1', port: 0, hosts: [] },
    callers: {
      tokens: [{ token, caller: { person: 'ada', team: null, databases: null } }],
      ...{ slackSigningSecret, withoutToken: null },
    },
    log: { ...silentLog, error: (_, message) => void complaints.push(message) },
    now: () => Date.now(),
    bodyMs: 300,
  })
  port = Number(new URL(server.url).port)
})
afterAll(() => server.close())

const head = (headers: Readonly<Record<string, string>>, method = 'POST'): string =>
  [
    `${method} /mcp HTTP/1.1`,
    'host: 127.0.0.1',
    'content-type: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

const known = { authorization: `Bearer ${token}` }

const sentAt = (ago = 0): string => String(Math.floor(Date.now() / 1_000) - ago)

const chunk = `186a0\r\n${'x'.repeat(100_000)}\r\n`

const hangsUpEarly = 3_000_000

describe('a request that nobody of us sent', () => {
  const strangers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'has no token': {},
    'has another token': { authorization: `Bearer ${token}x` },
    'has a signature of another form': {
      'x-slack-signature': 'v0=00',
      'x-slack-request-timestamp': sentAt(),
    },
    'has an old signature': {
      'x-slack-signature': `v0=${'0'.repeat(64)}`,
      'x-slack-request-timestamp': sentAt(400),
    },
    'has a signature without a time': { 'x-slack-signature': `v0=${'0'.repeat(64)}` },
  }

  it.each(Object.entries(strangers))('is refused before its body comes, if it %s', async (_, headers) => {
    // The body is announced and never sent.
    const announced = await sendRaw(port, head({ ...headers, 'content-length': '900000' }))
    expect(announced.status).toBe(401)
    const endless = await sendRaw(port, head({ ...headers, 'transfer-encoding': 'chunked' }), () => chunk)
    expect(endless.sent).toBeLessThan(hangsUpEarly)
    expect([401, null]).toContain(endless.status)
  })

  it.each(['GET', 'DELETE', 'PUT'])('is not read with %s either', async method => {
    expect((await sendRaw(port, head({ 'content-length': '900000' }, method))).status).toBe(
      method === 'PUT' ? 405 : 401,
    )
  })

  it('gets its answer, however much it sends meanwhile', async () => {
    const body = 'x'.repeat(900_000)
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => fetch(server.url, { method: 'POST', body })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([401]))
  })

  it('is not asked to go on', async () => {
    const waiting = { 'content-length': '900000', expect: '100-continue' }
    const { text } = await sendRaw(port, head(waiting))
    expect(text).toMatch(/^HTTP\/1\.1 401 /)
  })
})

describe('a request with a token', () => {
  it('is read up to a size, announced or not', async () => {
    const announced = await sendRaw(port, head({ ...known, 'content-length': '1000001' }))
    expect(announced.status).toBe(413)
    const endless = await sendRaw(port, head({ ...known, 'transfer-encoding': 'chunked' }), () => chunk)
    expect(endless.sent).toBeLessThan(hangsUpEarly)
    expect([413, null]).toContain(endless.status)
  })

  it('is waited for so long', async () => {
    const slow = await sendRaw(port, head({ ...known, 'content-length': '900000' }), () => 'x')
    expect(slow.status).toBe(408)
    expect(slow.text).toContain('took too long')
  })

  it('is asked to go on if it waits for that', async () => {
    const waiting = { ...known, 'content-length': '1', expect: '100-continue', connection: 'close' }
    let isSent = false
    const { text } = await sendRaw(port, head(waiting), () => {
      if (isSent) return null
      isSent = true
      return '{'
    })
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 400 /)
  })

  it('signed by Slack has the same limits', async () => {
    const signature = createHmac('sha256', slackSigningSecret).update('another').digest('hex')
    const signed = { 'x-slack-signature': `v0=${signature}`, 'x-slack-request-timestamp': sentAt() }
    expect((await sendRaw(port, head({ ...signed, 'content-length': '1000001' }))).status).toBe(413)
    expect((await sendRaw(port, head({ ...signed, 'content-length': '900000' }), () => 'x')).status).toBe(408)
  })
})

it('none of them is an error of ours', () => {
  expect(complaints).toEqual([])
})
