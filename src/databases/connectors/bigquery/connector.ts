import type { Connector, RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { sqlTokens } from '../../../sql/parse/sql-tokens.ts'
import { checkSafeguards } from '../safeguards.ts'
import { startsAsQuery } from '../standard-sql.ts'
import { readBigqueryAddress } from './address.ts'
import { introspect } from './catalog.ts'
import { unreachable } from './errors.ts'
import { type BigqueryJob, type BigquerySession, openBigquerySession } from './session.ts'

interface BigqueryOptions {
  /** `bigquery://PROJECT/DATASET`. */
  readonly url: string
  /** The name of the database in messages. */
  readonly place: string
  /** How many statements can run at once. */
  readonly connections?: number
  /** IANA time zone in which instants are shown and cut; UTC by default. */
  readonly timeZone?: string
}

const probeLimits: RunOptions = { timeoutMs: 30_000, maxRows: 1, maxBytes: 1024, purpose: 'index' }

/** Counts for hours, and reads no table: it is billed nothing. */
const endless = (mark: string): string => {
  const numbers = ['a', 'b', 'c', 'd']
  const from = numbers.map(name => `UNNEST(GENERATE_ARRAY(1, 100000)) AS ${name}`).join(', ')
  return `SELECT '${mark}', COUNT(*) FROM ${from} WHERE ${numbers.join(' + ')} > 0`
}

/** The statement alone, without what follows a semicolon if that is nothing. */
const onlyStatement = (sql: string): string => {
  const cut = sqlTokens(sql, 'bigquery')
  const last = cut.ok ? cut.tokens.findLast(({ text }) => text !== ';') : undefined
  return last === undefined ? sql : sql.slice(0, last.end)
}

/**
 * Connects to a project of BigQuery. A statement runs only after the service itself has called it a query in a dry run.
 * Rejects with `QuerentError`: `database-unreachable` if the service refuses or does not answer, `unknown-database` if
 * the address is not valid.
 */
export const makeBigqueryConnector = async (options: BigqueryOptions): Promise<Connector> => {
  const address = readBigqueryAddress(options.url)
  let session: BigquerySession
  try {
    session = await openBigquerySession({
      address,
      size: options.connections ?? 4,
      timeZone: options.timeZone ?? 'UTC',
    })
    await session.dryRun('SELECT 1', probeLimits)
  } catch (error) {
    throw unreachable(options.place, error)
  }

  const run = async (
    sql: string,
    runOptions: RunOptions,
    onBegun?: (job: BigqueryJob) => void,
  ): Promise<ResultTable> => {
    if (!startsAsQuery(sql)) throw new SqlError('permission', 'the statement is not a query that only reads')
    return await session.run(onlyStatement(sql), runOptions, onBegun)
  }

  return {
    dialect: 'bigquery',
    introspect: ({ signal } = {}) => introspect(session.ask, address, signal ? { signal } : {}),
    explain: async ({ sql }, runOptions) =>
      JSON.stringify(await session.dryRun(onlyStatement(sql), runOptions)),
    run: ({ sql }, runOptions) => run(sql, runOptions),
    checkSafeguards: ({ signal } = {}) => {
      const asking = { ...probeLimits, ...(signal && { signal }) }
      const jobs = new Map<string, BigqueryJob>()
      return checkSafeguards(
        {
          // Past our own look at the first word: the service has to say that it is no query.
          write: name => session.run(`CREATE TABLE ${name} (x INT64)`, asking),
          endless: (mark, limits) =>
            run(endless(mark), { ...probeLimits, ...limits }, job => jobs.set(mark, job)),
          isAtWork: async mark => (await jobs.get(mark)?.isAtWork()) ?? false,
          // Roles are a matter of the project, the dataset and the table.
          roleCanWrite: async () => null,
        },
        signal,
      )
    },
    close: () => session.close(),
  }
}
