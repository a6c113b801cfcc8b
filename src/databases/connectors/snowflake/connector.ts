import type { Connector, RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { sqlTokens } from '../../../sql/parse/sql-tokens.ts'
import { checkSafeguards } from '../safeguards.ts'
import { startsAsQuery } from '../standard-sql.ts'
import { readSnowflakeAddress } from './address.ts'
import { introspect } from './catalog.ts'
import { unreachable } from './errors.ts'
import { explainSnowflake } from './plan.ts'
import type { SnowflakeStatement } from './protocol.ts'
import { makeSnowflakeSession, type SnowflakeSession } from './session.ts'

interface SnowflakeOptions {
  /** `snowflake://USER:TOKEN@ACCOUNT/DATABASE/SCHEMA`. */
  readonly url: string
  /** The name of the database in messages, without a password. */
  readonly place: string
  /** How many statements can run at once. */
  readonly connections?: number
  /** IANA time zone in which instants are shown and cut; UTC by default. */
  readonly timeZone?: string
  /** How long connecting can take. */
  readonly connectMilliseconds?: number
}

/** A warehouse that sleeps takes some seconds to wake up. */
const probeLimits = { timeoutMs: 60_000, maxRows: 1, maxBytes: 1_000_000 }

/** Counts for hours in little memory. */
const endless = (mark: string): string => {
  const numbers = 'SELECT SEQ8() AS N FROM TABLE(GENERATOR(ROWCOUNT => 100000000))'
  return `SELECT '${mark}' AS MARK, COUNT(*) AS N FROM (${numbers}) A CROSS JOIN (${numbers}) B WHERE HASH(A.N + B.N) = 1`
}

/** The statement alone: none of our comments has to reach Snowflake, and it stands in brackets when it is compiled. */
const onlyStatement = (sql: string): string => {
  const cut = sqlTokens(sql, 'snowflake')
  const last = cut.ok ? cut.tokens.findLast(({ text }) => text !== ';') : undefined
  return last === undefined ? sql : sql.slice(0, last.end)
}

/**
 * Connects to an account of Snowflake. A statement runs only after Snowflake itself has compiled it as a query. Rejects
 * with `QuerentError`: `database-unreachable` if the account does not answer, `unknown-database` if the address is not
 * valid.
 */
export const makeSnowflakeConnector = async (options: SnowflakeOptions): Promise<Connector> => {
  const address = readSnowflakeAddress(options.url)
  const session: SnowflakeSession = makeSnowflakeSession({
    address,
    size: options.connections ?? 4,
    timeZone: options.timeZone ?? null,
    connectMilliseconds: options.connectMilliseconds ?? 10_000,
  })
  try {
    await session.ask('SELECT 1', probeLimits)
  } catch (error) {
    await session.close()
    throw unreachable(options.place, error)
  }

  const run = async (
    sql: string,
    runOptions: RunOptions,
    onBegun?: (statement: SnowflakeStatement) => void,
  ): Promise<ResultTable> => {
    if (!startsAsQuery(sql)) throw new SqlError('permission', 'the statement is not a query that only reads')
    return await session.run(onlyStatement(sql), runOptions, onBegun)
  }

  return {
    dialect: 'snowflake',
    introspect: ({ signal } = {}) => introspect(session, address, signal ? { signal } : {}),
    explain: async ({ sql }, runOptions) => {
      const plan = await session.ask(explainSnowflake(onlyStatement(sql)), runOptions)
      return String(plan.rows[0]?.[0] ?? '')
    },
    run: ({ sql }, runOptions) => run(sql, runOptions),
    checkSafeguards: ({ signal } = {}) => {
      const asking = { ...probeLimits, ...(signal && { signal }) }
      const statements = new Map<string, SnowflakeStatement>()
      return checkSafeguards(
        {
          // Past our own look at the first word: Snowflake has to say that it is no query.
          write: async name => {
            try {
              await session.run(`CREATE TABLE ${name} (X INTEGER)`, asking)
            } catch (error) {
              const isRefused = error instanceof SqlError && error.errorClass === 'syntax'
              throw isRefused ? new SqlError('permission', error.message, { cause: error }) : error
            }
          },
          endless: (mark, limits) =>
            run(endless(mark), { ...probeLimits, ...limits }, statement => statements.set(mark, statement)),
          isAtWork: async mark => (await statements.get(mark)?.isAtWork()) ?? false,
          // Roles inherit from others, and no one statement tells all that they may do.
          roleCanWrite: async () => null,
        },
        signal,
      )
    },
    close: () => session.close(),
  }
}
