import type { Connector, RunOptions } from '../../../domain/database.ts'
import { QuerentError, SqlError } from '../../../domain/errors.ts'
import { sqlReferences } from '../../../sql/analyze/sql-scopes.ts'
import { sqlTokens } from '../../../sql/parse/sql-tokens.ts'
import { checkSafeguards } from '../safeguards.ts'
import { quoteEscaped, startsAsQuery } from '../standard-sql.ts'
import { readClickhouseAddress } from './address.ts'
import { introspect } from './catalog.ts'
import { toSqlError, unreachable } from './errors.ts'
import { noReads, planLine } from './plan.ts'
import { isSince } from './server.ts'
import { type ClickhouseSession, openClickhouseSession } from './session.ts'

interface ClickhouseOptions {
  /** `clickhouse://USER:PASSWORD@HOST:PORT/DATABASE`. */
  readonly url: string
  /** The name of the database in messages, without a password. */
  readonly place: string
  /** How many statements can run at once. */
  readonly connections?: number
  /** IANA time zone in which moments are shown and cut, where the server can (23.6); else the columns' own. */
  readonly timeZone?: string
  /** How long connecting can take. */
  readonly connectMilliseconds?: number
}

const probeLimits = { timeoutMs: 20_000, maxRows: 1, maxBytes: 1024 }

/** The statement alone: the format is ours to add, and none of its own may stand behind it. */
const onlyStatement = (sql: string): string => {
  const cut = sqlTokens(sql, 'clickhouse')
  const last = cut.ok ? cut.tokens.findLast(({ text }) => text !== ';') : undefined
  return last === undefined ? sql : sql.slice(0, last.end)
}

/** Words that end a query and change what becomes of it: its format, its settings, a file on the server. */
const endings = /\b(?:format|settings|outfile)\b/i

const requireQuery = (sql: string): void => {
  const cut = sqlTokens(sql, 'clickhouse')
  const isOdd = cut.ok && cut.tokens.some(({ kind, value }) => kind === 'word' && endings.test(value))
  if (!startsAsQuery(sql) || isOdd)
    throw new SqlError('permission', 'the statement is not a query that only reads')
}

/**
 * Connects to a database on a ClickHouse server, over HTTP. Every statement is sent with `readonly=2`, a time limit and
 * a limit of rows, and is killed when it is no longer wanted. Rejects with `QuerentError`: `database-unreachable` if the
 * server does not answer or lets the user set no limits, `unknown-database` if the address is not valid.
 */
export const makeClickhouseConnector = async (options: ClickhouseOptions): Promise<Connector> => {
  const address = readClickhouseAddress(options.url)
  const open = async (size: number): Promise<ClickhouseSession> => {
    try {
      return await openClickhouseSession({
        address,
        size,
        timeZone: options.timeZone ?? null,
        connectMilliseconds: options.connectMilliseconds ?? 10_000,
      })
    } catch (error) {
      if (toSqlError(error) instanceof SqlError && (toSqlError(error) as SqlError).driverCode === '164')
        throw new QuerentError(
          'database-unreachable',
          `The user of ${options.place} has readonly=1, so Querent could set no limits for its statements. Give it readonly=2.`,
          { cause: error },
        )
      throw unreachable(options.place, error)
    }
  }
  const session = await open(options.connections ?? 4)

  const run: ClickhouseSession['run'] = async (sql, runOptions) => {
    requireQuery(sql)
    return await session.run(onlyStatement(sql), runOptions)
  }

  const explain = async (sql: string, runOptions: RunOptions): Promise<string> => {
    requireQuery(sql)
    const statement = onlyStatement(sql)
    if (isSince(session.facts, 21, 9)) {
      const plan = await session.run(`EXPLAIN ESTIMATE ${statement}`, runOptions)
      const lines = plan.rows.map(([, table, , rows]) => planLine(String(table), Number(rows)))
      if (lines.length > 0) return lines.join('\n')
    } else {
      // Without EXPLAIN, describing its columns says whether it can run.
      await session.run(`DESCRIBE TABLE (${statement})`, { ...runOptions, maxRows: 5_000 })
    }
    const tables = sqlReferences(statement, 'clickhouse')?.tables ?? []
    return tables.length === 0 ? noReads : tables.map(({ name }) => planLine(name, null)).join('\n')
  }

  return {
    dialect: 'clickhouse',
    introspect: ({ signal } = {}) => introspect(session, address.database, signal ? { signal } : {}),
    explain: ({ sql }, runOptions) => explain(sql, runOptions),
    run: ({ sql }, runOptions) => run(sql, runOptions),
    checkSafeguards: async ({ signal } = {}) => {
      const aside = await open(1)
      const asking = { ...probeLimits, ...(signal && { signal }) }
      try {
        return await checkSafeguards(
          {
            write: name => session.run(`CREATE TABLE ${name} (x Int32) ENGINE = Memory`, asking),
            endless: (mark, limits) => session.run(endless(mark), { ...probeLimits, ...limits }),
            isAtWork: async mark => {
              const { rows } = await aside.run(
                `SELECT 1 FROM system.processes WHERE query LIKE ${quoteEscaped(`SELECT '${mark}'%`)}`,
                asking,
              )
              return rows.length > 0
            },
            // Grants can be read since 20.5, and profiles forbid what grants allow.
            roleCanWrite: async () => null,
          },
          signal,
        )
      } finally {
        await aside.close()
      }
    },
    close: () => session.close(),
  }
}

/** Counts for days in little memory. */
const endless = (mark: string): string =>
  `SELECT '${mark}', count() FROM system.numbers WHERE sipHash64(number) = 1 AND sipHash64(number + 1) = 2`
