import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import type { Log } from '../../domain/operations/telemetry.ts'
import { dropUnreadBody, httpPatience, limitConnections } from '../../lib/http-limits.ts'
import { httpCopy } from '../copy.ts'
import { makeMcpServer } from '../server.ts'
import type { McpUseCases } from '../use-cases.ts'
import { type HttpCallers, makeAuthenticate } from './authenticate.ts'
import { announcesTooMuch, readBody } from './read-body.ts'
import { makeSessions } from './sessions.ts'

/** Where the server listens, and how clients may call it. */
export interface HttpPlace {
  readonly host: string
  readonly port: number
  /** Names that clients use for it, besides those of this machine. */
  readonly hosts: readonly string[]
}

/** A server that listens. */
export interface McpHttpServer {
  /** The address of the endpoint. */
  readonly url: string
  close(): Promise<void>
}

const PATH = '/mcp'

/** Slack ends a call after 60 s. A question that takes longer goes on, and can be waited for with another call. */
const SLACK_PATIENCE_MS = 50_000

/** To listen on them means every address of this machine; no client calls it so. */
const everyAddress = ['0.0.0.0', '[::]']

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'] as const

/** Whether an address is one of this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)

/**
 * Serves MCP over streamable HTTP. Every request is checked by its headers before its body is read: its host and origin,
 * because a web page can make a browser call servers of this machine; who sent it; and its size. Nothing is read of a
 * request that is refused.
 */
export const serveMcpHttp = async (deps: {
  readonly useCases: McpUseCases
  readonly place: HttpPlace
  readonly callers: HttpCallers
  readonly log: Log
  readonly now: () => number
  /** How long a body may take, in milliseconds. */
  readonly bodyMs?: number
}): Promise<McpHttpServer> => {
  const { useCases, place, log, now } = deps
  const own = hostnameOf(`http://${place.host.includes(':') ? `[${place.host}]` : place.host}`)
  const hosts = new Set([
    ...loopbackNames,
    ...(own === null || everyAddress.includes(own) ? [] : [own]),
    ...place.hosts.map(host => host.toLowerCase()),
  ])
  const authenticate = makeAuthenticate(deps.callers, now)
  const sessions = makeSessions({ useCases, log, now })

  /** The body; null if it broke a limit, which is answered. */
  const takeBody = async (request: IncomingMessage, response: ServerResponse): Promise<string | null> => {
    const body = announcesTooMuch(request)
      ? { status: 'too-large' as const }
      : await readBody(request, response, deps.bodyMs)
    switch (body.status) {
      case 'read':
        return body.text
      case 'too-large':
        refuse(response, 413, httpCopy.tooLarge, { connection: 'close' })
        return null
      case 'too-slow':
        refuse(response, 408, httpCopy.tooSlow, { connection: 'close' })
        return null
      case 'gone':
        response.destroy()
        return null
      default: {
        const never: never = body
        return never
      }
    }
  }

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const foreign = findForeign(request, hosts)
    if (foreign !== null) return refuse(response, 403, foreign)
    if (request.url?.split('?')[0] !== PATH) return refuse(response, 404, httpCopy.notHere)
    if (!['POST', 'GET', 'DELETE'].includes(request.method ?? ''))
      return refuse(response, 405, httpCopy.wrongMethod, { allow: 'POST, GET, DELETE' })
    const checked = authenticate(request.headers)
    if (checked.status === 'refused') return refuseCaller(response, checked.message)
    // What a client sends with another method is not read.
    const body = request.method === 'POST' ? await takeBody(request, response) : ''
    if (body === null) return
    const authenticated = checked.status === 'signed' ? checked.check(body) : checked
    if (authenticated.status === 'refused') return refuseCaller(response, authenticated.message)
    const message = request.method === 'POST' ? parseMessage(body) : { ok: true as const, value: undefined }
    if (!message.ok) return refuse(response, 400, httpCopy.notJson)
    if (authenticated.status === 'slack') {
      if (request.method !== 'POST') return refuse(response, 405, httpCopy.onlyPost, { allow: 'POST' })
      const server = makeMcpServer({
        useCases,
        caller: authenticated.caller,
        patienceMs: SLACK_PATIENCE_MS,
        log,
      })
      // A transport without sessions serves one request.
      const transport = new StreamableHTTPServerTransport({})
      response.once('close', () => void server.close())
      await server.connect(transport as Parameters<typeof server.connect>[0])
      return transport.handleRequest(request, response, message.value)
    }
    const { caller, key } = authenticated
    const id = request.headers['mcp-session-id']
    if (id !== undefined) {
      const transport = sessions.find(String(id), key, response)
      if (transport === null) return refuse(response, 404, httpCopy.noSession)
      return transport.handleRequest(request, response, message.value)
    }
    if (!isInitializeRequest(message.value)) return refuse(response, 400, httpCopy.needsSession)
    const transport = await sessions.begin(caller, key)
    if (transport === null) return refuse(response, 503, httpCopy.tooManySessions)
    return transport.handleRequest(request, response, message.value)
  }

  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    dropUnreadBody(request, response)
    handle(request, response).catch((error: unknown) => {
      log.error({ error }, 'a request to the MCP server failed')
      if (response.headersSent) response.destroy()
      else refuse(response, 500, httpCopy.failed)
    })
  }
  const server = createServer(httpPatience, serve)
  // A client that waits to be asked for the body is refused before it sends it.
  server.on('checkContinue', serve)
  limitConnections(server)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(place.port, place.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const shown = place.host.includes(':') ? `[${place.host}]` : place.host
  return {
    url: `http://${shown}:${port}${PATH}`,
    close: async () => {
      const closed = new Promise<void>(resolve => void server.close(() => resolve()))
      await sessions.close()
      server.closeAllConnections()
      await closed
    },
  }
}

/** Why a request comes from somewhere it must not; null if it does not. */
const findForeign = ({ headers }: IncomingMessage, hosts: ReadonlySet<string>): string | null => {
  const host = hostnameOf(`http://${headers.host ?? ''}`)
  if (host === null || !hosts.has(host)) return httpCopy.wrongHost((headers.host ?? '(none)').slice(0, 100))
  const { origin } = headers
  if (origin === undefined) return null
  const from = hostnameOf(origin)
  return from !== null && hosts.has(from) ? null : httpCopy.wrongOrigin(origin.slice(0, 100))
}

const hostnameOf = (url: string): string | null => {
  try {
    return new URL(url).hostname.toLowerCase()
  } catch {
    return null
  }
}

type ParsedMessage = { readonly ok: true; readonly value: unknown } | { readonly ok: false }

/** One message: lists of messages were a part of the protocol once, and clients no longer send them. */
const parseMessage = (body: string): ParsedMessage => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ok: true, value }
      : { ok: false }
  } catch {
    return { ok: false }
  }
}

const refuseCaller = (response: ServerResponse, message: string): void =>
  refuse(response, 401, message, { 'www-authenticate': 'Bearer realm="querent"' })

/** Answers in the form of the protocol, so that clients show the sentence. */
const refuse = (
  response: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }))
}
