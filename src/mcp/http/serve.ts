import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js'
import type { Log } from '../../domain/operations/telemetry.ts'
import { httpCopy } from '../copy.ts'
import { makeMcpServer } from '../server.ts'
import type { McpUseCases } from '../use-cases.ts'
import { type HttpCallers, makeAuthenticate } from './authenticate.ts'
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

const MOST_BYTES = 1_000_000

const MOST_CONNECTIONS = 500

/** To listen on them means every address of this machine; no client calls it so. */
const everyAddress = ['0.0.0.0', '[::]']

const loopbackNames = ['localhost', '127.0.0.1', '[::1]'] as const

/** Whether an address is one of this machine alone. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)

/**
 * Serves MCP over streamable HTTP. Every request is checked before it is read by anything else: its host and origin,
 * because a web page can make a browser call servers of this machine; its size; and who sent it.
 */
export const serveMcpHttp = async (deps: {
  readonly useCases: McpUseCases
  readonly place: HttpPlace
  readonly callers: HttpCallers
  readonly log: Log
  readonly now: () => number
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

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const foreign = findForeign(request, hosts)
    if (foreign !== null) return refuse(response, 403, foreign)
    if (request.url?.split('?')[0] !== PATH) return refuse(response, 404, httpCopy.notHere)
    if (!['POST', 'GET', 'DELETE'].includes(request.method ?? ''))
      return refuse(response, 405, httpCopy.wrongMethod, { allow: 'POST, GET, DELETE' })
    const body = await readBody(request)
    if (body === null) return refuse(response, 413, httpCopy.tooLarge, { connection: 'close' })
    const authenticated = authenticate({ headers: request.headers, body })
    if (authenticated.status === 'refused')
      return refuse(response, 401, authenticated.message, { 'www-authenticate': 'Bearer realm="querent"' })
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

  const limits = { headersTimeout: 5_000, requestTimeout: 15_000, connectionsCheckingInterval: 1_000 }
  const server = createServer(limits, (request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ error }, 'a request to the MCP server failed')
      if (response.headersSent) response.destroy()
      else refuse(response, 500, httpCopy.failed)
    })
  })
  server.maxConnections = MOST_CONNECTIONS
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

/** The whole body as text; null if it is too large. */
const readBody = async (request: IncomingMessage): Promise<string | null> => {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
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
