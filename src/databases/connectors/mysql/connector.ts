import { readFileSync } from 'node:fs'
import type { ConnectionOptions, PoolConnection, SslOptions } from 'mysql2'
import type { SessionRights } from '../../../domain/access/data-rights.ts'
import type { Connector, RunOptions } from '../../../domain/database.ts'
import { QuerentError } from '../../../domain/errors.ts'
import { type Log, silentLog } from '../../../domain/operations/telemetry.ts'
import type { ResultTable } from '../../../domain/result.ts'
import type { ReadOnlyPool } from '../read-only-pool.ts'
import { maxWireBytes, rowTooLargeError, WireOverflow } from '../read-only-transaction.ts'
import { checkSafeguards } from '../safeguards.ts'
import { introspect } from './catalog.ts'
import { renderPlan } from './plan.ts'
import { makeMysqlPool } from './pool.ts'
import { CapReached, type RowSink, readRows } from './read-rows.ts'
import { roleCanWrite } from './safeguards.ts'
import { probeServer, runInternalQuery, type ServerFacts } from './server.ts'

interface MysqlOptions {
  readonly url: string
  /** The name of the database in messages, without a password. */
  readonly place: string
  /** How many statements can run at once, each on its own connection. */
  readonly connections?: number
  /** IANA time zone in which TIMESTAMP columns are shown and compared; the server's own by default. */
  readonly timeZone?: string
  /** How long connecting can take. */
  readonly connectMilliseconds?: number
  readonly log?: Log
  readonly now?: () => Date
}

const introspectMilliseconds = 120_000

const probeMilliseconds = 10_000

const safeguardByteCap = 1024

const digits = Array.from({ length: 10 }, (_, digit) => `select ${digit} as n`).join(' union all ')

/**
 * Counts for hours in little memory, without locks. The condition over all sources keeps the server from
 * multiplying counts.
 */
const endless = (mark: string): string => {
  const aliases = Array.from({ length: 13 }, (_, index) => `d${index}`)
  const sum = aliases.map(alias => `${alias}.n`).join(' + ')
  return `select '${mark}', count(*) from ${aliases.map(alias => `(${digits}) ${alias}`).join(', ')} where ${sum} > 0`
}

/** A user always sees its own threads and their statements. */
const isAtWork = async (connection: PoolConnection, mark: string): Promise<boolean> => {
  const rows = await runInternalQuery(
    connection,
    `select 1 from information_schema.processlist
     where id <> connection_id() and locate(?, coalesce(info, '')) > 0`,
    [mark],
  )
  return rows.length > 0
}

const runIn = async (
  pool: Pick<ReadOnlyPool<PoolConnection>, 'inTransaction'>,
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
    await pool.inTransaction(
      {
        timeoutMs: options.timeoutMs,
        maxWireBytes: maxWireBytes(options.maxBytes),
        ...(options.signal && { signal: options.signal }),
        ...(options.session && { session: options.session }),
      },
      connection => {
        // Neither connecting nor waiting for a connection counts as the statement's time.
        started = performance.now()
        return readRows(connection, sql, options, sink)
      },
    )
    return finish(null)
  } catch (error) {
    if (error instanceof CapReached) return finish(error.cap)
    if (!(error instanceof WireOverflow)) throw error
    if (sink.rows.length > 0) return finish('bytes')
    throw rowTooLargeError(options.maxBytes, error)
  }
}

/**
 * Connects to a database on a MySQL (8.0 and later) or MariaDB (10.5 and later) server. Every statement is
 * prepared, and runs in its own read-only transaction that is rolled back. Rejects with `QuerentError`:
 * `database-unreachable` if no connection can be made, `unknown-database` if the address is not valid.
 */
export const makeMysqlConnector = async (options: MysqlOptions): Promise<Connector> => {
  const { log = silentLog, now = () => new Date(), timeZone = null } = options
  let facts: ServerFacts | null = null
  const makePool = (size: number): ReadOnlyPool<PoolConnection> =>
    makeMysqlPool({
      config: connectionOptions(options.url, { connectMilliseconds: options.connectMilliseconds ?? 10_000 }),
      place: options.place,
      size,
      facts: () => facts,
    })
  const pool = makePool(options.connections ?? 4)
  /** A role stays with its connection, so each has connections of its own. */
  const rolePools = new Map<string, ReadOnlyPool<PoolConnection>>()
  const poolFor = (session: SessionRights | undefined): ReadOnlyPool<PoolConnection> => {
    const role = session?.role ?? null
    if (role === null) return pool
    const known = rolePools.get(role)
    if (known) return known
    const made = makePool(options.connections ?? 4)
    rolePools.set(role, made)
    return made
  }
  const probe = (connection: PoolConnection): Promise<ServerFacts> =>
    probeServer(connection, { timeZone, now })
  try {
    facts = await pool.inTransaction({ timeoutMs: probeMilliseconds }, probe)
  } catch (error) {
    await pool.close()
    throw error
  }
  if (facts.zoneIsRough)
    log.warn(
      { database: options.place, timeZone, offset: facts.timeZone },
      'The server has no time zone tables: TIMESTAMP columns are shown with the offset of today, an hour off in the other half of the year where clocks change. Fill them with mysql_tzinfo_to_sql.',
    )

  return {
    dialect: 'mysql',
    introspect: ({ signal, session } = {}) =>
      poolFor(session).inTransaction(
        {
          timeoutMs: introspectMilliseconds,
          ...(signal && { signal }),
          ...(session && { session }),
        },
        async connection => {
          const known = await probe(connection)
          facts = known
          return introspect(connection, known)
        },
      ),
    explain: async (sql, runOptions) =>
      renderPlan(await runIn(poolFor(runOptions.session), `explain\n${sql.sql}`, runOptions)),
    run: (sql, runOptions) => runIn(poolFor(runOptions.session), sql.sql, runOptions),
    checkSafeguards: async ({ signal } = {}) => {
      // A separate connection: with only one in the pool, nothing could watch the statement that keeps it busy.
      const aside = makePool(1)
      const asking = { timeoutMs: probeMilliseconds, ...(signal && { signal }) }
      try {
        return await checkSafeguards(
          {
            // Without preparing, which would not execute it, so that the server is what refuses.
            write: name =>
              pool.inTransaction(asking, connection =>
                runInternalQuery(connection, `create table ${name} (x integer)`),
              ),
            endless: (mark, limits) =>
              runIn(pool, endless(mark), { ...limits, maxRows: 1, maxBytes: safeguardByteCap }),
            isAtWork: mark => aside.inTransaction(asking, connection => isAtWork(connection, mark)),
            roleCanWrite: () => aside.inTransaction(asking, roleCanWrite),
          },
          signal,
        )
      } finally {
        await aside.close()
      }
    },
    close: async () => {
      await Promise.all([pool, ...rolePools.values()].map(one => one.close()))
    },
  }
}

const sslModes = ['DISABLED', 'REQUIRED', 'VERIFY_CA', 'VERIFY_IDENTITY'] as const

const knownParameters = ['ssl-mode', 'ssl-ca', 'socket']

const wrong = (message: string): QuerentError => new QuerentError('unknown-database', message)

const readAuthority = (file: string): string => {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw wrong(`ssl-ca names a file that cannot be read: ${(error as NodeJS.ErrnoException).code ?? file}.`)
  }
}

/** The modes of the mysql client. Naming an authority means that the certificate is checked. */
const readSsl = (parameters: URLSearchParams): SslOptions | null => {
  const authority = parameters.get('ssl-ca')
  const mode = (parameters.get('ssl-mode') ?? (authority === null ? 'DISABLED' : 'VERIFY_CA')).toUpperCase()
  const ca = authority === null ? {} : { ca: readAuthority(authority) }
  switch (mode) {
    case 'DISABLED':
      return null
    case 'REQUIRED':
      return { ...ca, rejectUnauthorized: authority !== null }
    case 'VERIFY_CA':
      return { ...ca, rejectUnauthorized: true }
    case 'VERIFY_IDENTITY':
      return { ...ca, rejectUnauthorized: true, verifyIdentity: true }
    default:
      throw wrong(`ssl-mode is one of ${sslModes.join(', ')}.`)
  }
}

/**
 * Connection options from `mysql://USER:PASSWORD@HOST:PORT/DATABASE` with `ssl-mode`, `ssl-ca` and `socket` after
 * a `?`. Throws `QuerentError('unknown-database')` for any other parameter.
 */
const connectionOptions = (
  address: string,
  { connectMilliseconds }: { readonly connectMilliseconds: number },
): ConnectionOptions => {
  const url = new URL(address.replace(/^mariadb:/i, 'mysql:'))
  const unknown = [...url.searchParams.keys()].find(name => !knownParameters.includes(name))
  if (unknown !== undefined)
    throw wrong(
      `A mysql:// address takes ${knownParameters.join(', ')} behind its ?, but not ${JSON.stringify(unknown.slice(0, 40))}.`,
    )
  const ssl = readSsl(url.searchParams)
  const socketPath = url.searchParams.get('socket')
  return {
    ...(socketPath === null
      ? { host: url.hostname.replace(/^\[|\]$/g, '') || '127.0.0.1', port: Number(url.port || 3306) }
      : { socketPath }),
    ...(url.username !== '' && { user: decodeURIComponent(url.username) }),
    ...(url.password !== '' && { password: decodeURIComponent(url.password) }),
    database: decodeURIComponent(url.pathname.slice(1)),
    ...(ssl && { ssl }),
    connectTimeout: connectMilliseconds,
    connectAttributes: { program_name: 'querent' },
    // What values.ts expects.
    rowsAsArray: true,
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
    typeCast: (field, next) => (field.type === 'GEOMETRY' ? field.buffer() : next()),
    // Column names come from databases that we do not trust, so no code is generated from them.
    disableEval: true,
    // The server can ask for any file on this machine. Without a stream factory the driver sends none.
    flags: ['-LOCAL_FILES', '-MULTI_STATEMENTS', '-IGNORE_SPACE'],
    multipleStatements: false,
  }
}
