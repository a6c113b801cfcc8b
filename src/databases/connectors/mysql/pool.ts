import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import mysql, { type Connection, type ConnectionOptions, type PoolConnection } from 'mysql2'
import { plainSession, type SessionRights } from '../../../domain/access/data-rights.ts'
import { SqlError } from '../../../domain/errors.ts'
import { makeReadOnlyPool, type ReadOnlyPool } from '../read-only-pool.ts'
import {
  cancelGraceMs,
  cancelledError,
  closedError,
  Interrupted,
  type Interruption,
  interruptible,
  onAbort,
  onWireOverflow,
  serverTimeout,
  type TransactionOptions,
  WireOverflow,
} from '../read-only-transaction.ts'
import { connectionError, isServerError, toSqlError } from './errors.ts'
import { longestGroupConcat } from './functions.ts'
import { CapReached } from './read-rows.ts'
import { runInternalQuery, type ServerFacts } from './server.ts'

const idleMs = 30_000

/** The driver keeps its socket in a property that it does not declare. */
const socketOf = (connection: PoolConnection): Socket => (connection as unknown as { stream: Socket }).stream

/** If the server closes the connection, the driver tells the connection, but not the code that reads rows from it. */
const isLost =
  (connection: PoolConnection): Interruption =>
  trigger => {
    const lost = (error?: unknown): void =>
      trigger(toSqlError(error ?? new Error('the server closed the connection')))
    connection.once('error', lost)
    connection.once('end', lost)
    return () => {
      connection.removeListener('error', lost)
      connection.removeListener('end', lost)
    }
  }

export const makeMysqlPool = (options: {
  readonly config: ConnectionOptions
  /** The name of the database in messages, without a password. */
  readonly place: string
  readonly size: number
  /** What is known about the server; null during the first query for it, when nothing is set. */
  readonly facts: () => ServerFacts | null
}): ReadOnlyPool<PoolConnection> => {
  const pool = mysql.createPool({
    ...options.config,
    connectionLimit: options.size,
    // The driver closes idle connections only if `maxIdle` is below `connectionLimit`.
    maxIdle: Math.max(0, options.size - 1),
    idleTimeout: idleMs,
    gracefulEnd: true,
  })
  const kills = new Set<Promise<unknown>>()
  const variableNames = new Set<string>()

  /** A variable stays with its connection: those of other people are cleared. */
  const variablesFor = ({ variables }: SessionRights): readonly string[] => {
    for (const name of Object.keys(variables)) variableNames.add(name)
    return [...variableNames].map(name => {
      const value = Object.hasOwn(variables, name) ? variables[name] : undefined
      return `@\`${name.replaceAll('`', '``')}\` = ${value === undefined ? 'null' : literal(value)}`
    })
  }
  // The pool replaces a connection that breaks while it is idle. That must not end the process.
  pool.on('connection', connection => connection.on('error', () => {}))

  /** For a statement whose connection was closed: it can run for long before it sends the next row. */
  const killLater = (threadId: number): void => {
    const killing = killQuery(options.config, threadId).finally(() => kills.delete(killing))
    kills.add(killing)
  }

  const transact = async <T>(
    connection: PoolConnection,
    { timeoutMs, signal, maxWireBytes, session = plainSession }: TransactionOptions,
    work: (connection: PoolConnection) => Promise<T>,
    closing: AbortSignal,
  ): Promise<T> => {
    try {
      return await interruptible(
        async () => {
          const facts = options.facts()
          if (facts === null) await runInternalQuery(connection, 'start transaction read only')
          else {
            await beginReadOnly(connection, { facts, timeoutMs, variables: variablesFor(session) })
            if (session.role !== null)
              await runInternalQuery(connection, `set role ${roleName(session.role)}`)
          }
          return work(connection)
        },
        [
          onAbort(signal, cancelledError),
          onAbort(closing, closedError),
          isLost(connection),
          serverTimeout(timeoutMs),
          ...(maxWireBytes === undefined ? [] : [onWireOverflow(socketOf(connection), maxWireBytes)]),
        ],
        async (reason, ended) => {
          // A server that sends rows that are not read is stopped by closing the connection.
          if (reason instanceof WireOverflow || socketOf(connection).destroyed) return
          if (await killQuery(options.config, connection.threadId))
            await Promise.race([ended, delay(cancelGraceMs, null, { ref: false })])
        },
      )
    } catch (error) {
      if (error instanceof Interrupted || error instanceof WireOverflow || error instanceof CapReached)
        throw error
      throw toSqlError(error)
    }
  }

  return makeReadOnlyPool({
    size: options.size,
    connect: () =>
      new Promise<PoolConnection>((resolve, reject) => {
        pool.getConnection((error, connection) => (error ? reject(error) : resolve(connection)))
      }),
    connectionError: error => connectionError(options.place, error),
    transact,
    rollBack: async connection => {
      await runInternalQuery(connection, 'rollback')
      // A named lock does not belong to the transaction: it would be held until the connection ends.
      await runInternalQuery(connection, 'do release_all_locks()')
      return true
    },
    survives: (error, connection) => {
      if (error instanceof CapReached || error instanceof WireOverflow) killLater(connection.threadId)
      const isServers = error instanceof SqlError && (error.cause === undefined || isServerError(error.cause))
      return isServers && error.errorClass !== 'connection'
    },
    release: connection => connection.release(),
    destroy: connection => {
      connection.destroy()
      // The driver only says goodbye, and reads on until the server has sent everything.
      socketOf(connection).destroy()
    },
    end: async () => {
      await Promise.all(kills)
      await new Promise<void>(resolve => pool.end(() => resolve()))
    },
  })
}

/** Bytes that one statement can take on the server, where it counts them (MariaDB). */
const mostInMemory = 256 * 1024 * 1024

const mostOnDisk = 8 * 1024 * 1024 * 1024

/** LEAST would take the largest number of 64 bits for -1. */
const atMost = (setting: string, most: number): string =>
  `${setting} = if(@@global.${setting} between 1 and ${most}, @@global.${setting}, ${most})`

/** `reader`, or `reader@host` as MySQL names roles of a host. */
const roleName = (role: string): string => role.split('@').map(literal).join('@')

const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/**
 * Sets everything that a statement depends on, and opens a read-only transaction. MySQL has no settings that end
 * with a transaction, so all are set again before each one: what a statement changed does not reach the next.
 */
const beginReadOnly = async (
  connection: Connection,
  {
    facts,
    timeoutMs,
    variables,
  }: {
    readonly facts: ServerFacts
    readonly timeoutMs: number
    /** Assignments of session variables. */
    readonly variables: readonly string[]
  },
): Promise<void> => {
  const milliseconds = Math.max(1, Math.ceil(timeoutMs))
  const settings = [
    // Without it CREATE TABLE, TRUNCATE and OPTIMIZE would commit the transaction, and then run.
    facts.flavour === 'mariadb' ? 'tx_read_only = 1' : 'transaction_read_only = 1',
    `sql_mode = ${literal(facts.sqlMode)}`,
    // Seconds with fractions in MariaDB, milliseconds in MySQL, which applies it only to statements that read.
    facts.flavour === 'mariadb'
      ? `max_statement_time = ${milliseconds / 1000}`
      : `max_execution_time = ${milliseconds}`,
    `lock_wait_timeout = ${Math.max(1, Math.ceil(milliseconds / 1000))}`,
    // A server can be set to limit rows. Our own caps report when they cut a result.
    'sql_select_limit = 18446744073709551615',
    `group_concat_max_len = ${longestGroupConcat}`,
    // A server that was given less keeps it. Sorts, groups and derived tables go to disk beyond this.
    atMost('tmp_table_size', mostInMemory / 4),
    atMost('max_heap_table_size', mostInMemory / 4),
    ...(facts.flavour === 'mariadb'
      ? [atMost('max_session_mem_used', mostInMemory), atMost('tmp_disk_table_size', mostOnDisk)]
      : []),
    // With four digits, 1 / 100000 is 0.0000.
    'div_precision_increment = 8',
    ...(facts.timeZone === null ? [] : [`time_zone = ${literal(facts.timeZone)}`]),
    ...(facts.keepsStatistics ? ['information_schema_stats_expiry = 0'] : []),
  ]
  const assignments = [...settings.map(setting => `session ${setting}`), ...variables]
  await runInternalQuery(connection, `set ${assignments.join(', ')}`)
  await runInternalQuery(connection, 'start transaction read only')
}

/** How long connecting can take for this. */
const connectMilliseconds = 3000

/**
 * Asks the server, over a new connection, to stop what another one is doing. False if that failed: then the caller
 * closes its connection, and the server ends the statement when it notices or at its own time limit.
 */
const killQuery = async (options: ConnectionOptions, threadId: number): Promise<boolean> => {
  const connection = mysql.createConnection({ ...options, connectTimeout: connectMilliseconds })
  connection.on('error', () => {})
  const tooLate = setTimeout(() => connection.destroy(), 2 * connectMilliseconds)
  try {
    await runInternalQuery(connection, `kill query ${threadId}`)
    return true
  } catch {
    return false
  } finally {
    clearTimeout(tooLate)
    connection.destroy()
  }
}
