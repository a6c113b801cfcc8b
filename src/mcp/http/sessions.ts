import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { Caller } from '../../domain/operations/caller.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { startPolling } from '../../lib/poll.ts'
import { makeMcpServer } from '../server.ts'
import type { McpUseCases } from '../use-cases.ts'

/** Sessions of one token, and of all of them. */
const MOST_OF_TOKEN = 100
const MOST_SESSIONS = 500

/** A session that nobody uses is closed after this time. Questions back stay: they are in the store. */
const IDLE_MS = 30 * 60_000

const LOOK_EVERY_MS = 60_000

/** One client's session. It belongs to the token that began it. */
interface Session {
  readonly key: string
  readonly transport: StreamableHTTPServerTransport
  /** Responses that are open, such as the stream that a client listens to. */
  open: number
  usedAt: number
  readonly close: () => Promise<void>
}

/** The sessions of an HTTP server. */
export interface Sessions {
  /** The transport of a session; null if there is none, or if it belongs to another token. */
  find(id: string, key: string, response: ServerResponse): StreamableHTTPServerTransport | null
  /** A transport that begins a session with its first message; null if there are too many. */
  begin(caller: Caller, key: string): Promise<StreamableHTTPServerTransport | null>
  close(): Promise<void>
}

/** Keeps sessions until they are closed or idle. */
export const makeSessions = (deps: {
  readonly useCases: McpUseCases
  readonly log: Log
  readonly now: () => number
}): Sessions => {
  const { now, log } = deps
  const sessions = new Map<string, Session>()

  const closeIdle = async (): Promise<void> => {
    for (const session of [...sessions.values()])
      if (session.open === 0 && now() - session.usedAt > IDLE_MS) await session.close()
  }
  const stop = startPolling(closeIdle, {
    everyMs: LOOK_EVERY_MS,
    onError: error => log.warn({ error }, 'could not close idle MCP sessions'),
  })

  return {
    find: (id, key, response) => {
      const session = sessions.get(id)
      if (session === undefined || session.key !== key) return null
      session.open += 1
      session.usedAt = now()
      response.once('close', () => {
        session.open -= 1
        session.usedAt = now()
      })
      return session.transport
    },
    begin: async (caller, key) => {
      const ofToken = [...sessions.values()].filter(session => session.key === key).length
      if (sessions.size >= MOST_SESSIONS || ofToken >= MOST_OF_TOKEN) return null
      const server = makeMcpServer({ useCases: deps.useCases, caller, log })
      const transport = new StreamableHTTPServerTransport({
        sessionIdGenerator: () => randomUUID(),
        onsessioninitialized: id => {
          sessions.set(id, { key, transport, open: 0, usedAt: now(), close: () => server.close() })
        },
      })
      // Closing stops the calls that are still running.
      server.server.onclose = () => void sessions.delete(transport.sessionId ?? '')
      await server.connect(transport as Parameters<typeof server.connect>[0])
      return transport
    },
    close: async () => {
      stop()
      await Promise.all([...sessions.values()].map(session => session.close()))
    },
  }
}
