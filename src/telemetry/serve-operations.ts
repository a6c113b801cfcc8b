import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QuerentError } from '../core/errors.ts'
import type { Readiness } from '../core/health.ts'
import type { Log } from '../core/log.ts'
import type { ServedMetrics } from './make-metrics.ts'

/** The listener for operators. */
export interface OperationsServer {
  /** The one that was asked for; with port 0, the one that was free. */
  readonly port: number
  close(): Promise<void>
}

/** What it shows, and where. */
export interface OperationsOptions {
  readonly host: string
  readonly port: number
  readonly look: () => Promise<Readiness>
  readonly metrics: Pick<ServedMetrics, 'contentType' | 'render'>
  readonly log: Log
}

/**
 * Serves `/healthz` (200 while the process answers at all), `/readyz` (200 when every part works, else 503 with the
 * reasons) and `/metrics`. Nobody is asked who they are, so nothing of people or of data is shown. Throws
 * `bad-configuration` where it cannot listen.
 */
export const serveOperations = async (options: OperationsOptions): Promise<OperationsServer> => {
  const { look, metrics, log } = options
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    switch (path) {
      case '/healthz':
        return send(response, 200, JSON_TYPE, JSON.stringify({ status: 'alive' }))
      case '/readyz': {
        const readiness = await look()
        return send(response, readiness.status === 'ready' ? 200 : 503, JSON_TYPE, JSON.stringify(readiness))
      }
      case '/metrics':
        return send(response, 200, metrics.contentType, await metrics.render())
      default:
        return send(response, 404, TEXT_TYPE, 'There are /healthz, /readyz and /metrics.\n')
    }
  }
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      send(response, 405, TEXT_TYPE, 'Only GET.\n')
      return
    }
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    answer(path, response).catch((error: unknown) => {
      log.error({ error, path }, 'a page for operators failed')
      if (response.headersSent) response.destroy()
      else send(response, 500, TEXT_TYPE, 'This failed; the log says why.\n')
    })
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen({ host: options.host, port: options.port }, listening.resolve)
  await listening.promise.catch((cause: NodeJS.ErrnoException) => {
    throw new QuerentError('bad-configuration', whyNot(cause, options), { cause })
  })
  server.on('error', error => log.warn({ error }, 'the listener for operators reported an error'))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = new Promise<void>(resolve => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'
const TEXT_TYPE = 'text/plain; charset=utf-8'

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

const whyNot = (error: NodeJS.ErrnoException, { host, port }: OperationsOptions): string => {
  const where = `${host}:${port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return `health and metrics cannot be served on ${where}: another program listens there. Set operations.port to a free port, or to 0 to serve them nowhere.`
    case 'EACCES':
      return `health and metrics cannot be served on ${where}: this user may not listen there. Set operations.port to a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `health and metrics cannot be served on ${where}: that is no address of this machine. Set operations.host to one, such as 127.0.0.1 or 0.0.0.0.`
    default:
      return `health and metrics cannot be served on ${where} (${error.code ?? error.message}). Look at operations.host and operations.port.`
  }
}
