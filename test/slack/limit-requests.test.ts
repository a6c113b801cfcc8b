import { createHmac } from 'node:crypto'
import { App, LogLevel } from '@slack/bolt'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../simulator/free-port.ts'
import { makeLimitedReceiver } from '../../src/slack/limit-requests.ts'
import { sendRaw } from '../helpers/raw-request.ts'

// Over real sockets: what strangers can make the server read and hold.

const signingSecret = 'a-signing-secret'
let port = 0
let app: App

beforeAll(async () => {
  port = await freePort()
  const receiver = makeLimitedReceiver({
    signingSecret,
    port,
    processBeforeResponse: true,
    logLevel: LogLevel.ERROR,
  })
  app = new App({ receiver, token: 'xoxb-test', logLevel: LogLevel.ERROR, tokenVerificationEnabled: false })
  await app.start()
})
afterAll(() => app.stop())

const body = JSON.stringify({ type: 'url_verification', challenge: 'c' })

const post = (
  text: string,
  { at = Date.now() / 1_000, isSigned = true, length = null as number | null } = {},
) => {
  const sentAt = String(Math.floor(at))
  const signature = `v0=${createHmac('sha256', signingSecret).update(`v0:${sentAt}:${text}`).digest('hex')}`
  return fetch(`http://127.0.0.1:${port}/slack/events`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(isSigned && { 'x-slack-signature': signature, 'x-slack-request-timestamp': sentAt }),
      ...(length !== null && { 'content-length': String(length) }),
    },
    body: text,
  })
}

/** What the server answers to bytes on a socket, and that it then hangs up. */
const raw = async (bytes: string, more?: () => string | null): Promise<string> => {
  const { text, sent } = await sendRaw(port, bytes, more)
  return `${text.split('\r\n')[0]} after ${sent < 3_000_000 ? 'less than 3 MB' : '3 MB'}`
}

it('answers what Slack signs', async () => {
  const response = await post(body)
  expect(response.status).toBe(200)
  expect(await response.text()).toContain('c')
})

it('refuses timestamps from the future as well as from the past', async () => {
  expect((await post(body, { at: Date.now() / 1_000 - 400 })).status).toBe(401)
  expect((await post(body, { at: Date.now() / 1_000 + 400 })).status).toBe(401)
  expect((await post(body, { at: Date.now() / 1_000 + 200 })).status).toBe(200)
})

it('reads no large body that nobody signed, and none that never ends', async () => {
  const head = 'POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n'
  const chunk = 'x'.repeat(100_000)
  expect(await raw(`${head}content-length: 3000000\r\n\r\n`, () => chunk)).toBe(
    'HTTP/1.1 413 Payload Too Large after less than 3 MB',
  )
  expect(await raw(`${head}transfer-encoding: chunked\r\n\r\n`, () => `186a0\r\n${chunk}\r\n`)).toBe(
    'HTTP/1.1 401 Unauthorized after less than 3 MB',
  )
  const signed = `${head}x-slack-signature: v0=00\r\nx-slack-request-timestamp: ${Math.floor(Date.now() / 1_000)}\r\n`
  expect(await raw(`${signed}transfer-encoding: chunked\r\n\r\n`, () => `186a0\r\n${chunk}\r\n`)).toMatch(
    /^(?:HTTP\/1\.1 (?:4|5)\d\d .*)? after less than 3 MB$/,
  )
}, 30_000)

it.each([
  ['in another form', 'x-slack-signature: v0=00\r\n'],
  ['without a time', `x-slack-signature: v0=${'0'.repeat(64)}\r\n`],
])('reads nothing that is signed %s', async (_, headers) => {
  const at = headers.includes('v0=00\r')
    ? `x-slack-request-timestamp: ${Math.floor(Date.now() / 1_000)}\r\n`
    : ''
  const head = `POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}${at}`
  // The body is announced and never sent.
  expect(await raw(`${head}content-length: 900000\r\n\r\n`)).toContain('HTTP/1.1 401 ')
})

it('waits for headers for seconds, while others are answered', async () => {
  const slow = raw('POST /slack/events HTTP/1.1\r\nhost: x\r\nx-a', () => 'a')
  expect((await post(body)).status).toBe(200)
  expect(await slow).toContain('408')
}, 30_000)
