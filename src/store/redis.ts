import { createClient } from 'redis'
import { QuerentError } from '../core/errors.ts'
import { type Log, silentLog } from '../core/log.ts'

const CONNECT_MS = 5_000

/** A connection to Redis. */
export interface RedisConnection {
  /** Resolves when the server answers; throws `store-unavailable` when it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Connects to Redis. Throws `store-unavailable` when it cannot; afterwards a lost connection is made again by itself. */
export const connectRedis = async (url: string, options: { log?: Log } = {}): Promise<RedisConnection> => {
  const { log = silentLog } = options
  let connected = false
  const client = createClient({
    url,
    name: 'querent',
    // A command fails at once while the connection is down, instead of waiting for it without end.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_MS,
      // The first time, a server that is not there is for the caller to know, not to be tried again for ever.
      reconnectStrategy: tries => (connected ? Math.min(100 * 2 ** tries, 5_000) : false),
    },
  })
  client.on('error', (error: Error) => {
    if (connected) log.warn({ error }, 'the connection to Redis broke')
  })
  await client.connect().catch(unavailable)
  connected = true
  return {
    ping: async () => {
      await client.ping().catch(unavailable)
    },
    close: async () => {
      if (client.isReady) await client.close()
      else client.destroy()
    },
  }
}

const unavailable = (cause: unknown): never => {
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
  throw new QuerentError(
    'store-unavailable',
    `Redis cannot be used (${reason}); check REDIS_URL and that its server runs`,
    { cause },
  )
}
