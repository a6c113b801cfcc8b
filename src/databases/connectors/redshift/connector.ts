import { escapeIdentifier, type PoolClient, type QueryResult } from 'pg'
import type { Connector, RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { Cell, ResultTable } from '../../../domain/result.ts'
import { makePgPool } from '../pg-protocol/pool.ts'
import { type RowSink, readRows } from '../pg-protocol/read-rows.ts'
import type { ReadOnlyPool } from '../read-only-pool.ts'
import {
  maxWireBytes,
  rowTooLargeError,
  type TransactionOptions,
  WireOverflow,
} from '../read-only-transaction.ts'
import { checkSafeguards } from '../safeguards.ts'
import { quoteText, startsAsQuery } from '../standard-sql.ts'
import { readRedshiftAddress } from './address.ts'
import { introspect } from './catalog.ts'
import { connectionError, toSqlError } from './errors.ts'
import { cellTypes, kindOfType } from './values.ts'

interface RedshiftOptions {
  /** `redshift://USER:PASSWORD@HOST:5439/DATABASE`. */
  readonly url: string
  /** The name of the database in messages, without a password. */
  readonly place: string
  /** How many statements can run at once, each on its own connection. */
  readonly connections?: number
  /** IANA time zone in which instants are shown and cut; the server's own by default. */
  readonly timeZone?: string
  /** How long connecting can take. */
  readonly connectMilliseconds?: number
}

const introspectMilliseconds = 120_000

const probeMilliseconds = 20_000

/** A cluster of one node gives a cursor at most 1,000 rows, and a cursor that is asked for a single one breaks. */
const reading = { types: cellTypes, kindOfType, smallestBatch: 2, largestBatch: 1000 }

/** Counts for hours in little memory, and reads no table. */
const endless = (mark: string): string =>
  `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 2000000000)
   select '${mark}', count(*) from numbers`

/** Everybody sees their own statements there, on clusters and serverless. */
const isAtWork = (mark: string): string =>
  `select 1 from sys_query_history
   where status in ('planning', 'queued', 'running', 'returning')
     and query_text like '%${mark}%' and query_text not like '%sys_query_history%'`

/**
 * Whether the user could change something without our read-only transactions. A table in a schema that the user may not
 * use cannot be named, so asking about it would fail.
 */
const canWriteQuery = `
  select case when exists (select 1 from pg_user where usename = current_user and (usesuper or usecreatedb))
    or exists (
      select 1 from pg_namespace n
      where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and has_schema_privilege(n.nspname, 'create')
    )
    or exists (
      select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
        and case when has_schema_privilege(n.nspname, 'usage') then
          has_table_privilege(quote_ident(n.nspname) || '.' || quote_ident(c.relname), 'insert')
          or has_table_privilege(quote_ident(n.nspname) || '.' || quote_ident(c.relname), 'update')
          or has_table_privilege(quote_ident(n.nspname) || '.' || quote_ident(c.relname), 'delete')
        else false end
    ) then 1 else 0 end`

/** All settings are LOCAL, and named in the manual: Redshift refuses those of a newer Postgres. */
const begin = async (
  client: PoolClient,
  { timeoutMs }: TransactionOptions,
  timeZone: string | null,
): Promise<number> => {
  const statements = [
    'begin read only',
    `set local statement_timeout = ${Math.max(1, Math.ceil(timeoutMs))}`,
    "set local query_group = 'querent'",
    "set local datestyle = 'ISO, YMD'",
    ...(timeZone === null ? [] : [`set local timezone = ${quoteText(timeZone)}`]),
    'select pg_backend_pid() as pid',
  ]
  const results = (await client.query(statements.join('; '))) as unknown as QueryResult<{ pid: number }>[]
  return Number(results.at(-1)!.rows[0]!.pid)
}

/** Our own statements go by the simple protocol: a cursor over the leader's catalog is lost at its second batch. */
const askSimply = async (client: PoolClient, sql: string): Promise<Cell[][]> =>
  (await client.query<Cell[]>({ text: sql, rowMode: 'array', types: cellTypes as never })).rows

const refuseOthers = (sql: string): void => {
  if (!startsAsQuery(sql)) throw new SqlError('permission', 'the statement is not a query that only reads')
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
  const { timeoutMs, signal, maxBytes } = options
  try {
    return finish(
      await pool.inTransaction(
        { timeoutMs, maxWireBytes: maxWireBytes(maxBytes), ...(signal && { signal }) },
        client => {
          started = performance.now()
          return readRows(client, sql, options, sink, reading)
        },
      ),
    )
  } catch (error) {
    if (!(error instanceof WireOverflow)) throw error
    if (sink.rows.length > 0) return finish('bytes')
    throw rowTooLargeError(maxBytes, error)
  }
}

/**
 * Connects to a Redshift cluster or workgroup. Every statement runs in its own read-only transaction that is rolled
 * back. Rejects with `QuerentError`: `database-unreachable`, or `unknown-database` if the address is not valid.
 */
export const makeRedshiftConnector = async (options: RedshiftOptions): Promise<Connector> => {
  const address = readRedshiftAddress(options.url)
  const makePool = (size: number): ReadOnlyPool<PoolClient> =>
    makePgPool({
      config: { ...address, application_name: 'querent' },
      place: options.place,
      size,
      connectMilliseconds: options.connectMilliseconds ?? 10_000,
      begin: (client, transaction) => begin(client, transaction, options.timeZone ?? null),
      rollBack: 'rollback',
      toSqlError,
      connectionError,
    })
  const pool = makePool(options.connections ?? 4)
  try {
    await pool.inTransaction({ timeoutMs: probeMilliseconds }, async () => {})
  } catch (error) {
    await pool.close()
    throw error
  }

  return {
    dialect: 'redshift',
    introspect: ({ signal } = {}) =>
      introspect(sql =>
        pool.inTransaction({ timeoutMs: introspectMilliseconds, ...(signal && { signal }) }, client =>
          askSimply(client, sql),
        ),
      ),
    explain: async ({ sql }, { timeoutMs, signal }) => {
      refuseOthers(sql)
      const rows = await pool.inTransaction({ timeoutMs, ...(signal && { signal }) }, client =>
        askSimply(client, `explain ${sql}`),
      )
      return rows.map(row => String(row[0])).join('\n')
    },
    run: async ({ sql }, runOptions) => {
      refuseOthers(sql)
      return await runIn(pool, sql, runOptions)
    },
    checkSafeguards: async ({ signal } = {}) => {
      // With one slot only, nothing could watch the statement that keeps it busy.
      const aside = makePool(1)
      const asking = { timeoutMs: probeMilliseconds, ...(signal && { signal }) }
      const ask = (sql: string) => aside.inTransaction(asking, client => askSimply(client, sql))
      try {
        return await checkSafeguards(
          {
            // Without the cursor, which would not execute it, so that the server is what refuses.
            write: name =>
              pool.inTransaction(asking, client =>
                client.query(`create table ${escapeIdentifier(name)} (x integer)`),
              ),
            endless: (mark, limits) => runIn(pool, endless(mark), { ...limits, maxRows: 1, maxBytes: 1024 }),
            isAtWork: async mark => (await ask(isAtWork(mark))).length > 0,
            roleCanWrite: async () => Number((await ask(canWriteQuery))[0]?.[0]) === 1,
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
