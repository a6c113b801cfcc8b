import type { PoolClient } from 'pg'
import type { Connector, RunOptions } from '../../../domain/database.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { type RowSink, readRows } from '../pg-protocol/read-rows.ts'
import type { ReadOnlyPool } from '../read-only-pool.ts'
import { maxWireBytes, rowTooLargeError, WireOverflow } from '../read-only-transaction.ts'
import { checkSafeguards } from '../safeguards.ts'
import { introspect, readSchemas } from './catalog.ts'
import { makePostgresPool } from './pool.ts'
import { roleCanWrite } from './safeguards.ts'
import { cellTypes, kindOfType } from './values.ts'

interface PostgresOptions {
  readonly url: string
  /** The name of the database in messages, without a password. */
  readonly place: string
  /** How many statements can run at once, each on its own connection. */
  readonly connections?: number
  /** IANA time zone in which timestamps with a time zone are shown and days are cut; the server's own by default. */
  readonly timeZone?: string
  /** How long connecting can take. */
  readonly connectMilliseconds?: number
}

const introspectMilliseconds = 120_000

const probeMilliseconds = 10_000

const reading = { types: cellTypes, kindOfType, smallestBatch: 1, largestBatch: 2000 }

const safeguardByteCap = 1024

/** Counts for hours in little memory, without locks. */
const endless = (mark: string): string =>
  `select '${mark}', count(*) from generate_series(1, 200000) a, generate_series(1, 200000) b, generate_series(1, 200000) c`

/** The role always sees its own sessions and their statements. */
const isAtWork = async (client: PoolClient, mark: string): Promise<boolean> => {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (
       select from pg_catalog.pg_stat_activity
       where state = 'active' and pid <> pg_catalog.pg_backend_pid() and query like '%' || $1 || '%'
     ) as found`,
    [mark],
  )
  return rows[0]!.found
}

const runIn = async (
  pool: ReadOnlyPool<PoolClient>,
  sql: string,
  options: RunOptions,
): Promise<ResultTable> => {
  const sink: RowSink = { columns: [], rows: [] }
  let started = performance.now()
  const finish = (truncated: 'rows' | 'bytes' | null): ResultTable => ({
    columns: sink.columns,
    rows: sink.rows,
    truncated,
    milliseconds: performance.now() - started,
  })
  try {
    return finish(
      await pool.inTransaction(
        {
          timeoutMs: options.timeoutMs,
          maxWireBytes: maxWireBytes(options.maxBytes),
          ...(options.signal && { signal: options.signal }),
          ...(options.session && { session: options.session }),
        },
        client => {
          // Neither connecting nor waiting for a connection counts as the statement's time.
          started = performance.now()
          return readRows(client, sql, options, sink, reading)
        },
      ),
    )
  } catch (error) {
    if (!(error instanceof WireOverflow)) throw error
    if (sink.rows.length > 0) return finish('bytes')
    throw rowTooLargeError(options.maxBytes, error)
  }
}

/**
 * Connects to a Postgres database. Every statement runs in its own read-only transaction that is rolled back.
 * Rejects with `QuerentError('database-unreachable')` if no connection can be made.
 */
export const makePostgresConnector = async (options: PostgresOptions): Promise<Connector> => {
  let facts: ServerFacts = { checksConnection: false, searchPath: [], limits: [] }
  const makePool = (size: number): ReadOnlyPool<PoolClient> =>
    makePostgresPool({
      config: { connectionString: options.url, application_name: 'querent' },
      place: options.place,
      size,
      connectMilliseconds: options.connectMilliseconds ?? 10_000,
      settings: () => ({ ...facts, timeZone: options.timeZone ?? null }),
    })
  const pool = makePool(options.connections ?? 4)
  try {
    facts = await pool.inTransaction({ timeoutMs: probeMilliseconds }, probeServer)
  } catch (error) {
    await pool.close()
    throw error
  }

  return {
    dialect: 'postgres',
    introspect: ({ signal, session } = {}) =>
      pool.inTransaction(
        {
          timeoutMs: introspectMilliseconds,
          ...(signal && { signal }),
          ...(session && { session }),
        },
        async client => {
          // Another role would tell what it can set, not what the connection can.
          if (session === undefined) facts = await probeServer(client)
          return introspect(client)
        },
      ),
    explain: async (sql, runOptions) => {
      const plan = await runIn(pool, `explain\n${sql.sql}`, runOptions)
      return plan.rows.map(row => String(row[0])).join('\n')
    },
    run: (sql, runOptions) => runIn(pool, sql.sql, runOptions),
    checkSafeguards: async ({ signal } = {}) => {
      // A separate connection: with only one in the pool, nothing could watch the statement that keeps it busy.
      const aside = makePool(1)
      const asking = { timeoutMs: probeMilliseconds, ...(signal && { signal }) }
      try {
        return await checkSafeguards(
          {
            // Without the cursor, which would not execute it, so that the server is what refuses.
            write: name =>
              pool.inTransaction(asking, client => client.query(`create table ${name} (x integer)`)),
            endless: (mark, limits) =>
              runIn(pool, endless(mark), { ...limits, maxRows: 1, maxBytes: safeguardByteCap }),
            isAtWork: mark => aside.inTransaction(asking, client => isAtWork(client, mark)),
            roleCanWrite: () => aside.inTransaction(asking, roleCanWrite),
          },
          signal,
        )
      } finally {
        await aside.close()
      }
    },
    close: () => pool.close(),
  }
}

/** What must be known about a server before the first statement. */
interface ServerFacts {
  readonly checksConnection: boolean
  readonly searchPath: readonly string[]
  /** Settings that limit memory and temporary files, as `name = value`. */
  readonly limits: readonly string[]
}

/** Kilobytes of one sort or hash, of which a statement can have several. */
const mostWorkMem = 64 * 1024

/** Kilobytes of the temporary files of one session. */
const mostTempFiles = 8 * 1024 * 1024

/** Tried in a savepoint, so that a refusal does not end the transaction. */
const canSet = async (client: PoolClient, setting: string): Promise<boolean> => {
  await client.query('savepoint probe')
  try {
    await client.query(`set local ${setting}`)
    return true
  } catch {
    await client.query('rollback to savepoint probe')
    return false
  }
}

/**
 * Limits below what the role has; a server that gives less keeps it. Only a superuser, or a role that was granted it,
 * can limit temporary files.
 */
const readLimits = async (client: PoolClient): Promise<readonly string[]> => {
  const { rows } = await client.query<{ name: string; setting: string }>(
    "select name, setting from pg_catalog.pg_settings where name in ('work_mem', 'hash_mem_multiplier', 'temp_file_limit')",
  )
  const now = new Map(rows.map(({ name, setting }) => [name, Number(setting)]))
  const files = now.get('temp_file_limit') ?? -1
  const limitsFiles =
    (files < 0 || files > mostTempFiles) && (await canSet(client, `temp_file_limit = ${mostTempFiles}`))
  return [
    ...((now.get('work_mem') ?? 0) > mostWorkMem ? [`work_mem = ${mostWorkMem}`] : []),
    ...((now.get('hash_mem_multiplier') ?? 0) > 2 ? ['hash_mem_multiplier = 2'] : []),
    ...(limitsFiles ? [`temp_file_limit = ${mostTempFiles}`] : []),
  ]
}

const probeServer = async (client: PoolClient): Promise<ServerFacts> => ({
  // The setting came with PostgreSQL 14, and some operating systems do not support it.
  checksConnection: await canSet(client, 'client_connection_check_interval = 2000'),
  limits: await readLimits(client),
  searchPath: (await readSchemas(client)).all,
})
