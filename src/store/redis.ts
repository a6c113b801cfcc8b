import { createClient, ErrorReply, MultiErrorReply } from 'redis'
import { QuerentError } from '../domain/errors.ts'
import { type Log, silentLog } from '../domain/operations/telemetry.ts'

/**
 * A command is given up after this many ticks without a reply. Ticks instead of time, because a process that computes
 * for a quarter of a second receives nothing meanwhile: the reply may already be there when its timer fires.
 */
const TICKS = 5

const TICK_MS = 50

/** After a failure Redis is not asked for this long: a question must not wait for it again and again. */
const REST_MS = 1_000

/** The most commands waiting for a server that hangs; further ones fail at once. */
const MOST_WAITING = 1_000

const SHARED_CONNECT_MS = 5_000

/** A connection silent for this long is dead: it gets a ping every second. */
const PING_MS = 1_000

const SILENT_MS = 4_000

/** The prefix of all of Querent's keys and channels. */
export const redisPrefix = 'querent:'

type RedisClient = ReturnType<typeof makeClient>

/** The result of a Redis call: `done` is false if it is unavailable or too slow. */
type Attempt<T> = { readonly done: true; readonly value: T } | { readonly done: false }

/** Redis shared by all processes, which each process can do without. */
export interface SharedRedis {
  readonly client: RedisClient
  /** Calls Redis, and gives up within a fraction of a second. Never rejects. */
  attempt<T>(ask: (client: RedisClient) => Promise<T>): Promise<Attempt<T>>
  close(): Promise<void>
}

const makeClient = (url: string) =>
  createClient({
    url,
    name: 'querent',
    // A command fails at once while the connection is down instead of waiting forever.
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
 * Starts to connect without waiting: a process that starts while Redis is unavailable works without it until it is
 * there. Each loss and return is logged once.
 */
export const openSharedRedis = (options: {
  readonly url: string
  readonly log: Log
  /** Milliseconds of a steady clock. */
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
        if (isAboutValue(error)) markBack()
        else markAway(error)
        return { done: false }
      }
    },
    close: async () => {
      closed = true
      // Calls still waiting for a server that hangs would block an orderly close.
      client.destroy()
    },
  }
}

/**
 * Whether the server replied, but cannot do this with a value that somebody else wrote. One such value must not make
 * this process do without Redis.
 */
const isAboutValue = (error: unknown): boolean => {
  if (error instanceof MultiErrorReply) return [...error.errors()].every(isAboutValue)
  return error instanceof ErrorReply && /^(?:WRONGTYPE|ERR value is not an integer)\b/.test(error.message)
}

/** Time this process could not listen counts as one tick, and what arrived meanwhile is read before the next. */
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
    // It may fail after its caller has given up.
    asked.catch(() => {})
  }
}

const CONNECT_MS = 5_000

/** A connection to Redis. */
interface RedisConnection {
  /** Resolves when the server replies; throws `store-unavailable` if it does not. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** Connects to Redis. Throws `store-unavailable` if it cannot; later, a lost connection is reopened automatically. */
export const connectRedis = async (url: string, options: { log?: Log } = {}): Promise<RedisConnection> => {
  const { log = silentLog } = options
  let connected = false
  const client = createClient({
    url,
    name: 'querent',
    // A command fails at once while the connection is down instead of waiting forever.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: CONNECT_MS,
      // On the first connection, a missing server is reported to the caller instead of retried forever.
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
