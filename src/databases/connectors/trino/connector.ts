import type { Connector, RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { sqlTokens } from '../../../sql/parse/sql-tokens.ts'
import { checkSafeguards } from '../safeguards.ts'
import { quoteText, startsAsQuery } from '../standard-sql.ts'
import { readTrinoAddress } from './address.ts'
import { introspect } from './catalog.ts'
import { unreachable } from './errors.ts'
import { explainTrino } from './plan.ts'
import { makeTrinoSession } from './session.ts'

interface TrinoOptions {
  /** `trino://USER:PASSWORD@HOST:PORT/CATALOG/SCHEMA`. */
  readonly url: string
  /** The name of the database in messages, without a password. */
  readonly place: string
  /** How many statements can run at once. */
  readonly connections?: number
  /** IANA time zone in which instants are shown and cut; the server's own by default. */
  readonly timeZone?: string
  /** How long connecting can take. */
  readonly connectMilliseconds?: number
}

const probeLimits = { timeoutMs: 20_000, maxRows: 1, maxBytes: 1024 }

/** Counts for hours in little memory. */
const endless = (mark: string): string => {
  const numbers = ['a', 'b', 'c', 'd']
  const from = numbers.map(name => `UNNEST(sequence(1, 10000)) AS ${name} (${name})`).join(' CROSS JOIN ')
  return `SELECT ${quoteText(mark)}, count(*) FROM ${from} WHERE ${numbers.join(' + ')} > 0`
}

/** The statement alone: the server takes no semicolon, and none of our comments has to reach it. */
const onlyStatement = (sql: string): string => {
  const cut = sqlTokens(sql, 'trino')
  const last = cut.ok ? cut.tokens.findLast(({ text }) => text !== ';') : undefined
  return last === undefined ? sql : sql.slice(0, last.end)
}

/**
 * Connects to a Trino cluster. Every statement runs in a read-only transaction of its own, which is rolled back, under
 * a time limit of the server. Rejects with `QuerentError`: `database-unreachable` if the coordinator does not answer,
 * `unknown-database` if the address is not valid.
 */
export const makeTrinoConnector = async (options: TrinoOptions): Promise<Connector> => {
  const address = readTrinoAddress(options.url)
  const open = (size: number) =>
    makeTrinoSession({
      address,
      size,
      timeZone: options.timeZone ?? null,
      connectMilliseconds: options.connectMilliseconds ?? 10_000,
    })
  const session = open(options.connections ?? 4)
  try {
    await session.run('SELECT 1', probeLimits)
  } catch (error) {
    await session.close()
    throw unreachable(options.place, error)
  }

  const run = async (sql: string, runOptions: RunOptions): Promise<ResultTable> => {
    if (!startsAsQuery(sql)) throw new SqlError('permission', 'the statement is not a query that only reads')
    return await session.run(onlyStatement(sql), runOptions)
  }

  return {
    dialect: 'trino',
    introspect: ({ signal } = {}) => introspect(session, address, signal ? { signal } : {}),
    explain: async ({ sql }, runOptions) => {
      const plan = await session.run(explainTrino(onlyStatement(sql)), runOptions)
      return String(plan.rows[0]?.[0] ?? '')
    },
    run: ({ sql }, runOptions) => run(sql, runOptions),
    checkSafeguards: async ({ signal } = {}) => {
      // With one slot only, nothing could watch the statement that keeps it busy.
      const aside = open(1)
      const asking = { ...probeLimits, ...(signal && { signal }) }
      try {
        return await checkSafeguards(
          {
            write: name => session.run(`CREATE TABLE ${name} (x integer)`, asking),
            endless: (mark, limits) => session.run(endless(mark), { ...probeLimits, ...limits }),
            isAtWork: async mark => {
              const { rows } = await aside.run(
                `SELECT 1 FROM system.runtime.queries
                 WHERE state NOT IN ('FINISHED', 'FAILED') AND query LIKE ${quoteText(`SELECT '${mark}'%`)}`,
                asking,
              )
              return rows.length > 0
            },
            // Each catalog decides for itself, and tells nobody before a write is tried.
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
