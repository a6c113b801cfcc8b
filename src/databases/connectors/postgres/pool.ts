import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg, { escapeIdentifier, escapeLiteral, type PoolClient, type QueryResult } from 'pg'
import { plainSession, type SessionRights } from '../../../domain/access/data-rights.ts'
import { SqlError } from '../../../domain/errors.ts'
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
import { connectionError, isServerError, toSqlError } from './errors.ts'

export const makePostgresPool = (options: {
  readonly config: pg.ClientConfig
  /** The name of the database in messages, without a password. */
  readonly place: string
  readonly size: number
  readonly connectMilliseconds: number
  readonly settings: () => Omit<TransactionSettings, 'timeoutMs'>
}): ReadOnlyPool<PoolClient> => {
  const pool = new pg.Pool({
    ...options.config,
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
    { timeoutMs, signal, maxWireBytes, session }: TransactionOptions,
    work: (client: pg.PoolClient) => Promise<T>,
    closing: AbortSignal,
  ): Promise<T> => {
    let pid: number | null = null
    const started = performance.now()
    const socket = client.connection.stream as Socket
    try {
      return await interruptible(
        async () => {
          pid = await beginReadOnly(client, { ...options.settings(), timeoutMs, session })
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
      throw toSqlError(error, { ranOutOfTime: performance.now() - started >= timeoutMs * 0.9 })
    }
  }

  return makeReadOnlyPool({
    size: options.size,
    connect: () => pool.connect(),
    connectionError: error => connectionError(options.place, error),
    transact,
    rollBack: async client => {
      // In one message, so that a pooler in front of the server does both on the same connection. A lock of this kind
      // does not belong to the transaction: without the second statement it would be held until the connection ends.
      const results = (await client.query(
        'rollback; select pg_catalog.pg_advisory_unlock_all()',
      )) as unknown as QueryResult[]
      // A statement that ended the transaction itself may have changed the session permanently.
      return results[0]?.command === 'ROLLBACK' && client.getTransactionStatus() === 'I'
    },
    survives: error => error instanceof SqlError && isServerError(error.cause),
    release: client => client.release(),
    destroy: client => client.release(true),
    end: () => pool.end(),
  })
}

interface TransactionSettings {
  readonly timeoutMs: number
  readonly timeZone: string | null
  /** Schemas in which plain names are looked up; empty keeps the role's own. */
  readonly searchPath: readonly string[]
  /** Whether the server notices that our connection is gone (PostgreSQL 14 and later, on Linux). */
  readonly checksConnection: boolean
  /** Settings that limit memory and temporary files, as `name = value`. */
  readonly limits: readonly string[]
}

/** The variables first: the role may not be allowed to set them. */
const sessionStatements = ({ role, variables }: SessionRights): readonly string[] => [
  ...Object.entries(variables).map(
    ([name, value]) => `select pg_catalog.set_config(${escapeLiteral(name)}, ${escapeLiteral(value)}, true)`,
  ),
  ...(role === null ? [] : [`set local role ${escapeIdentifier(role)}`]),
]

/**
 * Opens a read-only transaction with everything set that a statement depends on, and returns the backend's pid.
 * All settings are LOCAL: a session keeps nothing, so a pooler in front of the server (PgBouncer) does no harm.
 */
const beginReadOnly = async (
  client: PoolClient,
  settings: TransactionSettings & { readonly session: SessionRights | undefined },
): Promise<number> => {
  const milliseconds = Math.max(1, Math.ceil(settings.timeoutMs))
  const locals = [
    `statement_timeout = ${milliseconds}`,
    `lock_timeout = ${milliseconds}`,
    `idle_in_transaction_session_timeout = ${milliseconds + 30_000}`,
    // The guard reads backslashes in strings as the standard says, and so must the server.
    'standard_conforming_strings = on',
    // What values.ts expects.
    "datestyle = 'ISO, YMD'",
    "intervalstyle = 'postgres'",
    "bytea_output = 'hex'",
    'extra_float_digits = 1',
    ...settings.limits,
    ...(settings.checksConnection ? ['client_connection_check_interval = 2000'] : []),
    ...(settings.timeZone === null ? [] : [`timezone = ${escapeLiteral(settings.timeZone)}`]),
    ...(settings.searchPath.length === 0
      ? []
      : [`search_path = ${settings.searchPath.map(escapeIdentifier).join(', ')}`]),
  ]
  const statements = [
    'begin read only',
    ...locals.map(local => `set local ${local}`),
    ...sessionStatements(settings.session ?? plainSession),
    'select pg_catalog.pg_backend_pid() as pid',
  ]
  // One round trip. For several statements pg returns a result for each, which its types do not say.
  const results = (await client.query(statements.join('; '))) as unknown as QueryResult<{ pid: number }>[]
  return results.at(-1)!.rows[0]!.pid
}

/**
 * Asks the server, over a new connection, to stop what a backend is doing. False if that failed: then the caller
 * closes its connection, and the server ends the statement when it notices.
 */
const cancelBackend = async (config: pg.ClientConfig, pid: number): Promise<boolean> => {
  const client = new pg.Client({ ...config, connectionTimeoutMillis: 3000, query_timeout: 3000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ sent: boolean }>(
      'select pg_catalog.pg_cancel_backend($1) as sent',
      [pid],
    )
    return rows[0]?.sent ?? false
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
