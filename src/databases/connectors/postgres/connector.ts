import { randomUUID } from 'node:crypto'
import type { Connector, RunOptions } from '../../../core/connector.ts'
import type { ResultTable } from '../../../core/result.ts'
import { SqlError } from '../../../core/sql-error.ts'
import { WireOverflow, wireLimit } from '../wire-overflow.ts'
import { introspect } from './introspect.ts'
import { probeServer, type ServerFacts } from './probe-server.ts'
import { makeReadOnlyPool, type ReadOnlyPool } from './read-only-pool.ts'
import { type RowSink, readRows } from './read-rows.ts'

export interface PostgresOptions {
  readonly url: string
  /** What the database is called in messages: no password in it. */
  readonly place: string
  /** How many statements may run at once, each on a connection of its own. */
  readonly connections?: number
  /** IANA name in which timestamps with a time zone are shown and days are cut; the server's own by default. */
  readonly timeZone?: string
  /** How long a connection may take to be made. */
  readonly connectMilliseconds?: number
}

const introspectMilliseconds = 120_000
const probeMilliseconds = 10_000

const runIn = async (pool: ReadOnlyPool, sql: string, options: RunOptions): Promise<ResultTable> => {
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
          maxWireBytes: wireLimit(options.maxBytes),
          ...(options.signal && { signal: options.signal }),
        },
        client => {
          // Neither connecting nor waiting for a connection is the statement's time.
          started = performance.now()
          return readRows(client, sql, options, sink)
        },
      ),
    )
  } catch (error) {
    if (!(error instanceof WireOverflow)) throw error
    if (sink.rows.length > 0) return finish('bytes')
    throw new SqlError(
      'other',
      `The first rows are larger than the ${options.maxBytes} bytes that a result may have. Ask for fewer columns.`,
      { cause: error },
    )
  }
}

/**
 * A Postgres database. Every statement runs in a read-only transaction of its own that is rolled back. Rejects with
 * `QuerentError('database-unreachable')` when no connection can be made.
 */
export const makePostgresConnector = async (options: PostgresOptions): Promise<Connector> => {
  let facts: ServerFacts = { checksConnection: false, searchPath: [] }
  const pool = makeReadOnlyPool({
    config: { connectionString: options.url, application_name: 'querent' },
    place: options.place,
    size: options.connections ?? 4,
    connectMilliseconds: options.connectMilliseconds ?? 10_000,
    settings: () => ({ ...facts, timeZone: options.timeZone ?? null }),
  })
  try {
    facts = await pool.inTransaction({ timeoutMs: probeMilliseconds }, probeServer)
  } catch (error) {
    await pool.close()
    throw error
  }

  return {
    dialect: 'postgres',
    introspect: ({ signal } = {}) =>
      pool.inTransaction({ timeoutMs: introspectMilliseconds, ...(signal && { signal }) }, async client => {
        facts = await probeServer(client)
        return introspect(client)
      }),
    explain: async (sql, runOptions) => {
      const plan = await runIn(pool, `explain\n${sql.sql}`, runOptions)
      return plan.rows.map(row => String(row[0])).join('\n')
    },
    run: (sql, runOptions) => runIn(pool, sql.sql, runOptions),
    refusesWrites: async ({ signal } = {}) => {
      const table = `querent_write_probe_${randomUUID().replaceAll('-', '')}`
      try {
        // Past the cursor, which would not execute it, so that it is the server that says no.
        await pool.inTransaction({ timeoutMs: probeMilliseconds, ...(signal && { signal }) }, client =>
          client.query(`create table ${table} (x integer)`),
        )
        return false
      } catch (error) {
        if (error instanceof SqlError && error.errorClass === 'permission') return true
        throw error
      }
    },
    close: () => pool.close(),
  }
}
