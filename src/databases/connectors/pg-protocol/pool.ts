import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { PoolClient, QueryResult } from 'pg'
import pg from 'pg'
import { type QuerentError, SqlError } from '../../../domain/errors.ts'
import { isServerError } from '../postgres/errors.ts'
import { makeReadOnlyPool, type ReadOnlyPool } from '../read-only-pool.ts'
import {
  cancelGraceMs,
  cancelledError,
  closedError,
  Interrupted,
  interruptible,
  onAbort,
  onWireOverflow,
  serverTimeout,
  type TransactionOptions,
  WireOverflow,
} from '../read-only-transaction.ts'

/** A pool of connections to a server that speaks Postgres' protocol. */
export const makePgPool = (options: {
  readonly config: pg.ClientConfig
  /** The name of the database in messages, without a password. */
  readonly place: string
  readonly size: number
  readonly connectMilliseconds: number
  /** Opens a read-only transaction with everything set that a statement depends on. Resolves to the server's process. */
  readonly begin: (client: PoolClient, options: TransactionOptions) => Promise<number>
  /** Ends it. The first of its statements must be ROLLBACK. */
  readonly rollBack: string
  readonly toSqlError: (error: unknown, options: { readonly ranOutOfTime: boolean }) => QuerentError
  readonly connectionError: (place: string, error: unknown) => QuerentError
}): ReadOnlyPool<PoolClient> => {
  const pool = new pg.Pool({
    ...options.config,
    Client: PgClient,
    max: options.size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: options.connectMilliseconds,
    keepAlive: true,
    allowExitOnIdle: true,
  })
  // The pool replaces a connection that breaks while it is idle. Without a listener on the client too, one that
  // breaks while it is in use would end the process; its statement fails in any case.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))

  const transact = async <T>(
    client: pg.PoolClient,
    transaction: TransactionOptions,
    work: (client: pg.PoolClient) => Promise<T>,
    closing: AbortSignal,
  ): Promise<T> => {
    const { timeoutMs, signal, maxWireBytes } = transaction
    let pid: number | null = null
    const started = performance.now()
    const socket = client.connection.stream as Socket
    try {
      return await interruptible(
        async () => {
          pid = await options.begin(client, transaction)
          return work(client)
        },
        [
          onAbort(signal, cancelledError),
          onAbort(closing, closedError),
          serverTimeout(timeoutMs),
          ...(maxWireBytes === undefined ? [] : [onWireOverflow(socket, maxWireBytes)]),
        ],
        async (reason, ended) => {
          // A server that sends rows that are not read is stopped by closing the connection.
          if (reason instanceof WireOverflow || pid === null) return
          if (await cancelBackend(options.config, pid))
            await Promise.race([ended, delay(cancelGraceMs, null, { ref: false })])
        },
      )
    } catch (error) {
      if (error instanceof Interrupted || error instanceof WireOverflow) throw error
      throw options.toSqlError(error, { ranOutOfTime: performance.now() - started >= timeoutMs * 0.9 })
    }
  }

  return makeReadOnlyPool({
    size: options.size,
    connect: () => pool.connect(),
    connectionError: error => options.connectionError(options.place, error),
    transact,
    rollBack: async client => {
      // Several statements give a result for each, which pg's types do not say.
      const answer: QueryResult | QueryResult[] = await client.query(options.rollBack)
      const [first] = Array.isArray(answer) ? answer : [answer]
      // A statement that ended the transaction itself may have changed the session permanently.
      return first?.command === 'ROLLBACK' && client.getTransactionStatus() === 'I'
    },
    survives: error => error instanceof SqlError && isServerError(error.cause),
    release: client => client.release(),
    destroy: client => client.release(true),
    end: () => pool.end(),
  })
}

/**
 * Asks the server, over a new connection, to stop what a backend is doing. False if that failed: then the caller
 * closes its connection, and the server ends the statement when it notices.
 */
const cancelBackend = async (config: pg.ClientConfig, pid: number): Promise<boolean> => {
  const client = new PgClient({ ...config, connectionTimeoutMillis: 3000, query_timeout: 3000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ sent: boolean | number }>(
      `select pg_catalog.pg_cancel_backend(${pid}) as sent`,
    )
    return Boolean(rows[0]?.sent)
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

interface Listening {
  attachListeners: (socket: Socket) => void
}

/**
 * A client whose connection fails on what `pg` cannot read, such as a way to log in that it does not know. `pg` throws
 * that from an event of the socket, where nobody can catch it and the process would end.
 */
class PgClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const connection = this.connection as unknown as Listening
    const attach = connection.attachListeners.bind(connection)
    connection.attachListeners = socket => {
      attach(socket)
      const read = socket.listeners('data').at(-1) as (chunk: Buffer) => void
      socket.off('data', read)
      socket.on('data', chunk => {
        try {
          read(chunk)
        } catch (error) {
          socket.destroy(error as Error)
        }
      })
    }
  }
}
