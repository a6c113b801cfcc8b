import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QuerentError } from '../domain/errors.ts'
import {
  type CheckHealthPart,
  type HealthPart,
  type HealthPartState,
  healthParts,
  type Log,
  NOT_STARTED,
  type Readiness,
} from '../domain/operations/telemetry.ts'
import { dropUnreadBody, httpPatience, limitConnections } from '../lib/http-limits.ts'
import type { ServedMetrics } from './metrics.ts'

/** The server for operators. */
export interface OperationsServer {
  /** The configured port, or the free one that port 0 found. */
  readonly port: number
  close(): Promise<void>
}

/** What it serves, and where. */
interface OperationsOptions {
  readonly host: string
  readonly port: number
  readonly look: () => Promise<Readiness>
  readonly metrics: Pick<ServedMetrics, 'contentType' | 'render'>
  readonly log: Log
}

/**
 * Serves `/healthz` (200 while the process answers at all), `/readyz` (200 if every part works, otherwise 503 with the
 * reasons) and `/metrics`. There is no login, so nothing about people or data is shown. Throws `bad-configuration` if
 * it cannot listen.
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
        return send(response, 404, TEXT_TYPE, 'Try /healthz, /readyz or /metrics.\n')
    }
  }
  const server = createServer(httpPatience, (request, response) => {
    // No page of these reads a body.
    dropUnreadBody(request, response)
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      send(response, 405, TEXT_TYPE, 'Use GET.\n')
      return
    }
    const path = (request.url ?? '/').split('?')[0] ?? '/'
    answer(path, response).catch((error: unknown) => {
      log.error({ error, path }, 'an operations page failed')
      if (response.headersSent) response.destroy()
      else send(response, 500, TEXT_TYPE, 'This failed. The log says why.\n')
    })
  })
  limitConnections(server)
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen({ host: options.host, port: options.port }, listening.resolve)
  await listening.promise.catch((cause: NodeJS.ErrnoException) => {
    throw new QuerentError('bad-configuration', listenAdvice(cause, options), { cause })
  })
  server.on('error', error => log.warn({ error }, 'the operations server reported an error'))
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

const listenAdvice = (error: NodeJS.ErrnoException, { host, port }: OperationsOptions): string => {
  const where = `${host}:${port}`
  switch (error.code) {
    case 'EADDRINUSE':
      return `health and metrics cannot be served on ${where}: another program uses that port. Set operations.port to a free port, or to 0 to turn them off.`
    case 'EACCES':
      return `health and metrics cannot be served on ${where}: this user is not allowed to use that port. Set operations.port to a port above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `health and metrics cannot be served on ${where}: this machine does not have that address. Set operations.host to one it has, such as 127.0.0.1 or 0.0.0.0.`
    default:
      return `health and metrics cannot be served on ${where} (${error.code ?? error.message}). Check operations.host and operations.port.`
  }
}

/** Reports whether the bot can take questions. */
interface ReadinessProbe {
  /** Sets the check of a part. A part without a check has not started. */
  watch(part: HealthPart, check: CheckHealthPart): void
  /** Marks the bot as taking no new work. */
  drain(): void
  /** Checks every part at once. Never rejects. */
  look(): Promise<Readiness>
}

/** A part that takes longer counts as not working. Probes wait longer than this: docs/operating.md says 5 s. */
const CHECK_MS = 1_500

const notStarted: HealthPartState = { ok: false, reason: NOT_STARTED }

/** Logs each change of state once, with its reason. */
export const makeReadiness = (log: Log, checkMs: number = CHECK_MS): ReadinessProbe => {
  const checks = new Map<HealthPart, CheckHealthPart>()
  const failing = new Set<HealthPart>()
  let draining = false
  let checking: Promise<Readiness> | null = null

  const checkPart = async (part: HealthPart): Promise<HealthPartState> => {
    const check = checks.get(part)
    if (!check) return notStarted
    let reason: string | null
    let error: unknown
    try {
      reason = await inTime(check, checkMs)
    } catch (thrown) {
      error = thrown
      reason = isLate(thrown)
        ? `does not answer within ${checkMs / 1000} s`
        : 'is not working; the log says why'
    }
    if (reason === NOT_STARTED) return notStarted
    if (reason === null) {
      if (failing.delete(part)) log.info({ part }, 'a part of the bot is working again')
      return { ok: true }
    }
    if (!failing.has(part))
      log.warn({ part, reason, ...(error ? { error } : {}) }, 'a part of the bot is not working')
    failing.add(part)
    return { ok: false, reason }
  }

  const checkAll = async (): Promise<Readiness> => {
    const states = await Promise.all(healthParts.map(async part => [part, await checkPart(part)] as const))
    const allWork = states.every(([, state]) => state.ok)
    return {
      status: draining ? 'draining' : allWork ? 'ready' : 'not-ready',
      parts: Object.fromEntries(states) as Record<HealthPart, HealthPartState>,
    }
  }

  return {
    watch: (part, check) => void checks.set(part, check),
    drain: () => {
      draining = true
    },
    // Concurrent requests share one check: probes must not put load on the store.
    look: () => {
      checking ??= checkAll().finally(() => {
        checking = null
      })
      return checking
    },
  }
}

const inTime = (check: CheckHealthPart, ms: number): Promise<string | null> => {
  const signal = AbortSignal.timeout(ms)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([check(signal), late])
}

const isLate = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'
