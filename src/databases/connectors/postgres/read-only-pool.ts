import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg, { type QueryResult } from 'pg'
import { SqlError } from '../../../core/sql-error.ts'
import { Interrupted, interruptible, onAbort } from '../interruptible.ts'
import {
  cancelGraceMs,
  cancelledError,
  closedError,
  rollbackMs,
  serverTimeout,
  type TransactionOptions,
} from '../read-only-transaction.ts'
import { makeSemaphore } from '../slots.ts'
import { onWireOverflow, WireOverflow } from '../wire-overflow.ts'
import { beginReadOnly, type TransactionSettings } from './begin-read-only.ts'
import { cancelBackend } from './cancel-backend.ts'
import { isServerError, toSqlError } from './error-class.ts'
import { connectionError } from './unreachable.ts'

/** Connections to one database, on which nothing can be done but in a read-only transaction that is rolled back. */
export interface ReadOnlyPool {
  /** Rejects with `SqlError`, `QuerentError('database-unreachable')` or `WireOverflow`. */
  readonly inTransaction: <T>(
    options: TransactionOptions,
    work: (client: pg.PoolClient) => Promise<T>,
  ) => Promise<T>
  readonly close: () => Promise<void>
}

export const makeReadOnlyPool = (options: {
  readonly config: pg.ClientConfig
  /** What the database is called in messages: no password in it. */
  readonly place: string
  readonly size: number
  readonly connectMilliseconds: number
  readonly settings: () => Omit<TransactionSettings, 'timeoutMs'>
}): ReadOnlyPool => {
  const pool = new pg.Pool({
    ...options.config,
    max: options.size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: options.connectMilliseconds,
    keepAlive: true,
    allowExitOnIdle: true,
  })
  const slots = makeSemaphore(options.size)
  const closing = new AbortController()
  // A connection that breaks while nobody uses it is the pool's to replace. Without a listener on the client too,
  // one that breaks while it is in use would end the process; its statement fails in any case.
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))

  const connect = async (signal: AbortSignal | undefined): Promise<pg.PoolClient> => {
    const connecting = pool.connect()
    try {
      return await interruptible(
        () => connecting,
        [onAbort(signal, cancelledError)],
        async () => {},
      )
    } catch (error) {
      if (!(error instanceof Interrupted)) throw connectionError(options.place, error)
      void connecting.then(
        client => client.release(),
        () => {},
      )
      throw error.reason
    }
  }

  const rollBack = (client: pg.PoolClient): Promise<boolean> =>
    Promise.race([
      // In one message, so that a pooler in front of the server has both done on the same connection. A lock of this
      // kind is not the transaction's: without the second statement it would be held until the connection goes.
      (client.query('rollback; select pg_catalog.pg_advisory_unlock_all()') as Promise<unknown>).then(
        results =>
          // A statement that ended the transaction by itself may have changed the session for good.
          (results as QueryResult[])[0]?.command === 'ROLLBACK' && client.getTransactionStatus() === 'I',
        () => false,
      ),
      delay(rollbackMs, false, { ref: false }),
    ])

  const transact = async <T>(
    client: pg.PoolClient,
    { timeoutMs, signal, maxWireBytes }: TransactionOptions,
    work: (client: pg.PoolClient) => Promise<T>,
  ): Promise<T> => {
    let pid: number | null = null
    const started = performance.now()
    const socket = client.connection.stream as Socket
    try {
      return await interruptible(
        async () => {
          pid = await beginReadOnly(client, { ...options.settings(), timeoutMs })
          return work(client)
        },
        [
          onAbort(signal, cancelledError),
          onAbort(closing.signal, closedError),
          serverTimeout(timeoutMs),
          ...(maxWireBytes === undefined ? [] : [onWireOverflow(socket, maxWireBytes)]),
        ],
        async (reason, ended) => {
          // While it is being sent rows nobody reads, a server is stopped by hanging up.
          if (reason instanceof WireOverflow || pid === null) return
          if (await cancelBackend(options.config, pid))
            await Promise.race([ended, delay(cancelGraceMs, null, { ref: false })])
        },
      )
    } catch (error) {
      if (error instanceof Interrupted || error instanceof WireOverflow) throw error
      throw toSqlError(error, { ranOutOfTime: performance.now() - started >= timeoutMs * 0.9 })
    }
  }

  const inTransaction: ReadOnlyPool['inTransaction'] = async (transaction, work) => {
    const release = await slots.acquire(transaction.signal)
    try {
      if (closing.signal.aborted) throw closedError()
      const client = await connect(transaction.signal)
      let fit = false
      try {
        const result = await transact(client, transaction, work)
        fit = await rollBack(client)
        return result
      } catch (error) {
        if (error instanceof Interrupted) throw error.reason
        if (error instanceof SqlError && isServerError(error.cause)) fit = await rollBack(client)
        throw error
      } finally {
        client.release(!fit)
      }
    } finally {
      release()
    }
  }

  return {
    inTransaction,
    close: async () => {
      if (closing.signal.aborted) return
      closing.abort()
      await pool.end()
    },
  }
}
