import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { ListenOptions } from 'node:net'
import { HTTPReceiver, type HTTPReceiverOptions } from '@slack/bolt'
import { QuerentError } from '../domain/errors.ts'
import { dropUnreadBody, httpPatience, limitConnections } from '../lib/http-limits.ts'
import { cannotListen, requestRefusals } from './copy/phrases.ts'

/** Bytes of a request. The longest that Slack sends, forms with all their state, have some 250 kB. */
const mostBytes = 1_000_000

/** Bytes of a request that nobody signed: Slack checks certificates that way. */
const mostUnsignedBytes = 10_000

/** Seconds between Slack's clock and ours, either way. An older request may have been recorded and sent again. */
const mostSecondsApart = 300

/** Why a request is refused before its body is read; null if it may be read. */
export const findRequestRefusal = (
  { headers }: Pick<IncomingMessage, 'headers'>,
  nowMs: number,
): { readonly status: 401 | 413; readonly reason: string } | null => {
  const length = Number(headers['content-length'] ?? 0)
  const signature = headers['x-slack-signature']
  const isSigned = signature !== undefined
  const sentAt = headers['x-slack-request-timestamp']
  if (length > (isSigned ? mostBytes : mostUnsignedBytes))
    return { status: 413, reason: requestRefusals.tooLarge }
  // Without a length it could be of any size.
  if (!isSigned && headers['transfer-encoding'] !== undefined)
    return { status: 401, reason: requestRefusals.notSigned }
  if (!isSigned && sentAt === undefined) return null
  // No body has such a signature.
  if (!/^v0=[0-9a-f]{64}$/.test(String(signature))) return { status: 401, reason: requestRefusals.notSigned }
  const isNear =
    /^\d{1,12}$/.test(String(sentAt)) && Math.abs(nowMs / 1_000 - Number(sentAt)) <= mostSecondsApart
  return isNear ? null : { status: 401, reason: requestRefusals.otherTime }
}

/**
 * Bolt's receiver over HTTP, with limits that hold before a signature is checked: on the size and the time of a request,
 * on the number of connections, and on timestamps from the future as well as from the past. It listens on `host`, or on all
 * addresses of this machine.
 */
export const makeLimitedReceiver = (
  options: HTTPReceiverOptions,
  host: string | null = null,
): HTTPReceiver => {
  const receiver = new HTTPReceiver({ ...options, bodyLimit: mostBytes })
  const listen = receiver.requestListener
  receiver.requestListener = (request: IncomingMessage, response: ServerResponse): void => {
    const refusal = request.method === 'POST' ? findRequestRefusal(request, Date.now()) : null
    dropUnreadBody(request, response)
    if (refusal === null) {
      listen(request, response)
      return
    }
    response.writeHead(refusal.status, { connection: 'close', 'content-type': 'text/plain' })
    response.end(`${refusal.reason}\n`)
  }
  const start = receiver.start.bind(receiver) as (
    place: ListenOptions,
    given: ServerOptions,
  ) => Promise<Server>
  receiver.start = (async (port: number = options.port ?? 3000, given: ServerOptions = {}) => {
    const place = host === null ? { port } : { port, host }
    const server = await start(place, { ...httpPatience, ...given }).catch((cause: NodeJS.ErrnoException) => {
      throw new QuerentError(
        'bad-configuration',
        cannotListen(`${host ?? '*'}:${port}`, cause.code ?? cause.message),
        { cause },
      )
    })
    limitConnections(server)
    return server
  }) as HTTPReceiver['start']
  return receiver
}
