import { Client } from 'pg'
import { z } from 'zod'
import type { NotificationBus, NotificationName, Notifications } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { redisPrefix, type SharedRedis } from './redis.ts'

/** The LISTEN/NOTIFY channel; its payload is a notice as text. */
const CHANNEL = 'querent_notices'

/** How soon a broken connection is reopened. */
const RECONNECT_MS = 2_000

/** How long to wait for a connection. */
const CONNECT_MS = 5_000

/**
 * Notices over the store's Postgres, for processes without a shared Redis. One connection listens and publishes; it is
 * reopened if it breaks, and notices sent meanwhile are lost.
 */
export const makePostgresNoticeBoard = (deps: {
  readonly url: string
  readonly log: Log
}): NotificationBus & { readonly ready: Promise<void> } => {
  const subscribers = makeNoticeSubscribers()
  let connected: Client | null = null
  let closed = false
  let isAway = false
  let again: NodeJS.Timeout | undefined

  const connect = async (): Promise<void> => {
    const client = new Client({
      connectionString: deps.url,
      application_name: 'querent-notices',
      connectionTimeoutMillis: CONNECT_MS,
    })
    let isLost = false
    const lost = (error: unknown): void => {
      if (isLost) return
      isLost = true
      connected = null
      void client.end().catch(() => {})
      if (closed) return
      // Logged once, however often it is tried.
      if (!isAway)
        deps.log.warn({ error }, 'lost the notification connection between processes; reconnecting')
      isAway = true
      again = setTimeout(() => void connect(), RECONNECT_MS)
      again.unref()
    }
    client.on('error', lost)
    client.on('end', () => lost(null))
    client.on('notification', ({ payload }) => subscribers.deliver(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      connected = isLost ? null : client
      if (isAway && !isLost) deps.log.info({}, 'the notification connection between processes is back')
      isAway = isLost
      if (closed) await client.end()
    } catch (error) {
      lost(error)
    }
  }
  const ready = connect()

  return {
    ready,
    publish: async (name, notice) => {
      await connected
        ?.query('select pg_notify($1, $2)', [CHANNEL, writeNotice(name, notice)])
        .catch((error: unknown) => deps.log.warn({ error, notice: name }, 'could not send a notification'))
    },
    subscribe: subscribers.subscribe,
    close: async () => {
      closed = true
      clearTimeout(again)
      await connected?.end().catch(() => {})
    },
  }
}

/**
 * Notices over Redis publish and subscribe. The listening connection reopens and subscribes again by itself; notices
 * sent meanwhile are lost.
 */
export const makeRedisNoticeBoard = (
  redis: SharedRedis,
  { prefix = redisPrefix }: { readonly prefix?: string } = {},
): NotificationBus & { readonly ready: Promise<void> } => {
  const channel = `${prefix}notices`
  const subscribers = makeNoticeSubscribers()
  // A subscribed connection can do nothing else.
  const listener = redis.client.duplicate({ disableOfflineQueue: false })
  // The other connection logs problems with the server.
  listener.on('error', () => {})
  const ready = listener
    .connect()
    .then(() => listener.subscribe(channel, subscribers.deliver))
    .catch(() => {})
  return {
    ready,
    publish: async (name, notice) => {
      await redis.attempt(client => client.publish(channel, writeNotice(name, notice)))
    },
    subscribe: subscribers.subscribe,
    close: async () => listener.destroy(),
  }
}

/** The subscribers of each notice in this process. */
interface NoticeSubscribers {
  readonly subscribe: NotificationBus['subscribe']
  /** Delivers a notice to its subscribers. Unreadable texts are ignored. */
  deliver(text: string): void
}

const makeNoticeSubscribers = (): NoticeSubscribers => {
  const subscribers = new Map<NotificationName, Set<(notice: never) => void>>()
  return {
    subscribe: (name, listener) => {
      // A wrapper per subscription: the same function may subscribe twice and unsubscribe once.
      const own = (notice: never): void => listener(notice)
      const all = subscribers.get(name) ?? new Set()
      subscribers.set(name, all.add(own))
      return () => void all.delete(own)
    },
    deliver: text => {
      const parsed = readNotice(text)
      if (!parsed) return
      for (const listener of subscribers.get(parsed.name) ?? []) listener(parsed.notice as never)
    },
  }
}

/** Others may write to the channel: no name or id is longer, and what a notice says is checked by who receives it. */
const Name = z.string().max(500)

const StoredNotice = z.discriminatedUnion('name', [
  z.object({ name: z.literal('stop'), notice: z.object({ questionId: Name }) }),
  z.object({
    name: z.literal('index-changed'),
    notice: z.object({ database: Name, fingerprint: Name }),
  }),
])

/** A notice and its name. */
type NamedNotice = z.output<typeof StoredNotice>

/** Writes a notice as one line of text. */
const writeNotice = <N extends NotificationName>(name: N, notice: Notifications[N]): string =>
  JSON.stringify({ name, notice })

/** Reads it back; null for a notice of another version. */
const readNotice = (text: string): NamedNotice | null => {
  try {
    return StoredNotice.parse(JSON.parse(text))
  } catch {
    return null
  }
}
