import { Client } from 'pg'
import type { Log } from '../core/log.ts'
import type { NotificationBus } from '../core/notice.ts'
import { makeNoticeSubscribers } from './notice-hearers.ts'
import { writeNotice } from './stored/notice.ts'

/** The channel of LISTEN and NOTIFY; its payload is a notice as text. */
const CHANNEL = 'querent_notices'
/** How soon a connection that broke is made again. */
const RECONNECT_MS = 2_000
/** A server that does not answer a connection is given up for now. */
const CONNECT_MS = 5_000

/**
 * Notices over our own Postgres, for processes that share no Redis. One connection listens and tells; it is made again
 * when it breaks, and what was told meanwhile is lost.
 */
export const makePostgresNoticeBoard = (deps: {
  readonly url: string
  readonly log: Log
}): NotificationBus & { readonly ready: Promise<void> } => {
  const hearers = makeNoticeSubscribers()
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
      // Once, however often it is tried.
      if (!isAway) deps.log.warn({ error }, 'notices between processes are away; they are tried again')
      isAway = true
      again = setTimeout(() => void connect(), RECONNECT_MS)
      again.unref()
    }
    client.on('error', lost)
    client.on('end', () => lost(null))
    client.on('notification', ({ payload }) => hearers.hear(payload ?? ''))
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      connected = isLost ? null : client
      if (isAway && !isLost) deps.log.info({}, 'notices between processes are back')
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
        .catch((error: unknown) => deps.log.warn({ error, notice: name }, 'a notice could not be told'))
    },
    subscribe: hearers.subscribe,
    close: async () => {
      closed = true
      clearTimeout(again)
      await connected?.end().catch(() => {})
    },
  }
}
