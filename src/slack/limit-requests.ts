import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import { HTTPReceiver, type HTTPReceiverOptions } from '@slack/bolt'
import { requestRefusals } from './copy/phrases.ts'

/** Bytes of a request. The longest that Slack sends, forms with all their state, have some 250 kB. */
const mostBytes = 1_000_000

/** Bytes of a request that nobody signed: Slack checks certificates that way. */
const mostUnsignedBytes = 10_000

/** Seconds between Slack's clock and ours, either way. An older request may have been recorded and sent again. */
const mostSecondsApart = 300

/** Open connections. Slack uses a few at a time. */
const mostConnections = 500

/** Milliseconds for the headers, and for the whole of a request. */
const patience = {
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
} as const

/** Why a request is refused before its body is read; null if it may be read. */
export const findRequestRefusal = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  nowMs: number,
): { readonly status: 401 | 413; readonly reason: string } | null => {
  const length = Number(headers['content-length'] ?? 0)
  const isSigned = headers['x-slack-signature'] !== undefined
  const sentAt = headers['x-slack-request-timestamp']
  if (length > (isSigned ? mostBytes : mostUnsignedBytes))
    return { status: 413, reason: requestRefusals.tooLarge }
  // Without a length it could be of any size.
  if (!isSigned && headers['transfer-encoding'] !== undefined)
    return { status: 401, reason: requestRefusals.notSigned }
  if (sentAt === undefined) return null
  const isNear =
    /^\d{1,12}$/.test(String(sentAt)) && Math.abs(nowMs / 1_000 - Number(sentAt)) <= mostSecondsApart
  return isNear ? null : { status: 401, reason: requestRefusals.otherTime }
}

/**
 * Bolt's receiver over HTTP, with limits that hold before a signature is checked: on the size and the time of a request,
 * on the number of connections, and on timestamps from the future as well as from the past.
 */
export const makeLimitedReceiver = (options: HTTPReceiverOptions): HTTPReceiver => {
  const receiver = new HTTPReceiver({ ...options, bodyLimit: mostBytes })
  const listen = receiver.requestListener
  receiver.requestListener = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = request.method === 'POST' ? findRequestRefusal(request, Date.now()) : null
    // What still comes after an answer is not read.
    response.once('finish', () => {
      if (!request.complete) request.destroy()
    })
    if (refusal === null) {
      listen(request, response)
      return
    }
    response.writeHead(refusal.status, { connection: 'close', 'content-type': 'text/plain' })
    response.end(`${refusal.reason}\n`)
  }
  const start = receiver.start.bind(receiver) as (port?: number, options?: ServerOptions) => Promise<Server>
  receiver.start = (async (port?: number, given: ServerOptions = {}) => {
    const server = await start(port, { ...patience, ...given })
    server.maxConnections = mostConnections
    return server
  }) as HTTPReceiver['start']
  return receiver
}
