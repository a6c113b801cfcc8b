import type { Connector, RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { sqlTokens } from '../../../sql/parse/sql-tokens.ts'
import { checkSafeguards } from '../safeguards.ts'
import { startsAsQuery } from '../standard-sql.ts'
import { readSparkAddress } from './address.ts'
import { introspect } from './catalog.ts'
import { unreachable } from './errors.ts'
import { explainSpark } from './plan.ts'
import type { Operation } from './protocol.ts'
import { openSparkSession, type SparkSession } from './session.ts'

interface SparkOptions {
  /** `spark://USER:PASSWORD@HOST:PORT/SCHEMA` or `databricks://token:TOKEN@HOST/CATALOG/SCHEMA?path=...`. */
  readonly url: string
  /** The name of the database in messages, without a password. */
  readonly place: string
  /** How many statements can run at once. */
  readonly connections?: number
  /** IANA time zone in which timestamps are shown and cut; the server's own by default. */
  readonly timeZone?: string
}

const probeLimits = { timeoutMs: 30_000, maxRows: 1, maxBytes: 1024 }

/** Counts for hours in little memory. */
const endless = (mark: string): string =>
  `SELECT '${mark}', count(*) FROM range(10000000000000) WHERE xxhash64(id) = 1 AND xxhash64(id + 1) = 2`

/** The statement alone: the server takes no semicolon. */
const onlyStatement = (sql: string): string => {
  const cut = sqlTokens(sql, 'spark')
  const last = cut.ok ? cut.tokens.findLast(({ text }) => text !== ';') : undefined
  return last === undefined ? sql : sql.slice(0, last.end)
}

/**
 * Connects to Spark's Thrift server or to a SQL warehouse of Databricks. A statement runs only after the server itself
 * has described it as a query. Rejects with `QuerentError`: `database-unreachable` if the server does not answer,
 * `unknown-database` if the address is not valid.
 */
export const makeSparkConnector = async (options: SparkOptions): Promise<Connector> => {
  const address = readSparkAddress(options.url)
  let session: SparkSession
  try {
    session = await openSparkSession({
      address,
      size: options.connections ?? 4,
      timeZone: options.timeZone ?? null,
    })
  } catch (error) {
    throw unreachable(options.place, error)
  }

  const run = async (
    sql: string,
    runOptions: RunOptions,
    onBegun?: (operation: Operation) => void,
  ): Promise<ResultTable> => {
    if (!startsAsQuery(sql)) throw new SqlError('permission', 'the statement is not a query that only reads')
    return await session.run(onlyStatement(sql), runOptions, onBegun)
  }

  return {
    dialect: 'spark',
    introspect: ({ signal } = {}) => introspect(session, address, signal ? { signal } : {}),
    explain: async ({ sql }, runOptions) => {
      const statement = onlyStatement(sql)
      // EXPLAIN succeeds for a statement that does not plan, and shows the error.
      await session.ask(`DESCRIBE QUERY ${statement}`, { ...runOptions, maxRows: 10_000 })
      const rows = await session.ask(explainSpark(statement), { ...runOptions, maxRows: 10 })
      return rows.map(([line]) => String(line)).join('\n')
    },
    run: ({ sql }, runOptions) => run(sql, runOptions),
    checkSafeguards: ({ signal } = {}) => {
      const asking = { ...probeLimits, ...(signal && { signal }) }
      const operations = new Map<string, Operation>()
      return checkSafeguards(
        {
          // Past our own look at the first word: the server has to say that it is no query.
          write: async name => {
            try {
              await session.run(`CREATE TABLE ${name} (x int)`, asking)
            } catch (error) {
              const isRefused = error instanceof SqlError && error.errorClass === 'syntax'
              throw isRefused ? new SqlError('permission', error.message, { cause: error }) : error
            }
          },
          endless: (mark, limits) =>
            run(endless(mark), { ...probeLimits, ...limits }, operation => operations.set(mark, operation)),
          isAtWork: async mark => (await operations.get(mark)?.isAtWork()) ?? false,
          // Grants are a matter of each metastore.
          roleCanWrite: async () => null,
        },
        signal,
      )
    },
    close: () => session.close(),
  }
}
