import { createClient } from 'redis'
import { QuerentError } from '../domain/errors.ts'
import { type Log, silentLog } from '../domain/operations/telemetry.ts'

/**
 * A command is given up after so many ticks without an answer. Ticks, since a process that reckons for a quarter of a
 * second hears nothing meanwhile: the answer may lie there when its timer fires, and Redis is not to blame.
 */
const TICKS = 5

const TICK_MS = 50

/** After a failure Redis is left alone for so long: a question must not wait for it again and again. */
const REST_MS = 1_000

/** Commands that wait for a server that hangs; further ones fail at once. */
const MOST_WAITING = 1_000

const SHARED_CONNECT_MS = 5_000

/** A connection that has been silent for so long is dead: a ping goes over it every second. */
const PING_MS = 1_000

const SILENT_MS = 4_000

/** Every key and channel of ours begins with it. */
export const redisPrefix = 'querent:'

type RedisClient = ReturnType<typeof makeClient>

/** What came of asking Redis: `done` is false where it is away, or took too long. */
type Attempt<T> = { readonly done: true; readonly value: T } | { readonly done: false }

/** Redis as all processes share it, and as each can do without it. */
export interface SharedRedis {
  readonly client: RedisClient
  /** Asks Redis for something, and gives up within a fraction of a second. Never rejects. */
  attempt<T>(ask: (client: RedisClient) => Promise<T>): Promise<Attempt<T>>
  close(): Promise<void>
}

const makeClient = (url: string) =>
  createClient({
    url,
    name: 'querent',
    // A command fails at once while the connection is down, instead of waiting for it without end.
    disableOfflineQueue: true,
    commandsQueueMaxLength: MOST_WAITING,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: SHARED_CONNECT_MS,
      socketTimeout: SILENT_MS,
      reconnectStrategy: tries => Math.min(100 * 2 ** tries, 2_000),
    },
  })

/**
 * Begins to connect, and returns without waiting for that: a process that starts while Redis is away serves without it
 * until it is there. The log says once that it is away, and once that it is back.
 */
export const openSharedRedis = (options: {
  readonly url: string
  readonly log: Log
  /** Milliseconds of any steady clock. */
  readonly now: () => number
}): SharedRedis => {
  const { log, now } = options
  const client = makeClient(options.url)
  let away = false
  let restUntil = 0
  let closed = false

  const markAway = (error: unknown): void => {
    restUntil = now() + REST_MS
    if (away || closed) return
    away = true
    log.warn(
      { error },
      'Redis is unreachable: this process counts rate limits alone and answers nothing from the cache',
    )
  }
  const markBack = (): void => {
    restUntil = 0
    if (!away) return
    away = false
    log.info({}, 'Redis is back')
  }
  client.on('error', markAway)
  client.on('ready', markBack)
  void client.connect().catch(markAway)

  return {
    client,
    attempt: async ask => {
      if (now() < restUntil) return { done: false }
      if (!client.isReady) return { done: false }
      try {
        const value = await inTime(ask(client))
        markBack()
        return { done: true, value }
      } catch (error) {
        markAway(error)
        return { done: false }
      }
    },
    close: async () => {
      closed = true
      // What is still waiting for a server that hangs would make closing in good order wait too.
      client.destroy()
    },
  }
}

/** Time in which this process could not listen counts as one tick, and what came meanwhile is read before the next. */
const inTime = async <T>(asked: Promise<T>): Promise<T> => {
  const late = Promise.withResolvers<never>()
  let left = TICKS
  const timer = setInterval(() => {
    left -= 1
    if (left === 0) late.reject(new Error(`no answer within ${TICKS * TICK_MS} ms`))
  }, TICK_MS)
  try {
    return await Promise.race([asked, late.promise])
  } finally {
    clearInterval(timer)
    // It may fail after nobody waits for it any more.
    asked.catch(() => {})
  }
}

const CONNECT_MS = 5_000

/** A connection to Redis. */
interface RedisConnection {
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
    if (connected) log.warn({ error }, 'lost the connection to Redis')
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
    `Redis cannot be used (${reason}); check REDIS_URL and that its server is running`,
    { cause },
  )
}
