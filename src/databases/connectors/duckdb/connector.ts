import { availableParallelism, totalmem } from 'node:os'
import process from 'node:process'
import type { Connector, RunOptions } from '../../../domain/database.ts'
import { SqlError } from '../../../domain/errors.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { programPath } from '../../../lib/project.ts'
import { type Child, forkChild } from '../child/fork.ts'
import { type ChildPool, introspectInChild, makeChildPool, runInChild } from '../child/pool.ts'
import { checkProcessSafeguards } from '../safeguards.ts'
import { makeSemaphore } from '../semaphore.ts'
import { brokenBy, openError, toSqlError } from './errors.ts'
import { type ChildTask, explainPrefix, findSource, quoteText, sourceVersion } from './source.ts'

interface DuckdbOptions {
  /** Absolute path of a DuckDB database, a CSV, TSV, Parquet or JSON file, or a folder of such files. */
  readonly path: string
  /** How many statements can run at once, each in its own process. */
  readonly processes?: number
  /** IANA time zone in which instants are shown and cut; UTC by default. */
  readonly timeZone?: string
}

/** Counts for days, in little memory. */
const endless = 'select count(*) from range(1000000000000) a, range(1000000) b where a.range + b.range < 0'

/**
 * What DuckDB may take: a gigabyte, and no more than an eighth of what this machine or container has. `constrained` is
 * 0 without a limit, or more than there is.
 */
const memoryShare = (total: number, constrained: number): number => {
  const available = constrained > 0 ? Math.min(total, constrained) : total
  return Math.min(1024 ** 3, Math.max(128 * 1024 ** 2, Math.floor(available / 8)))
}

/** One write to the database, and one to a file beside it. */
const writesFor = (path: string) => (name: string) =>
  [`create table ${name} (x integer)`, `copy (select 1 as x) to ${quoteText(`${path}.${name}.csv`)}`] as const

/**
 * Opens what DuckDB can read at a path: a database file, or data files as tables. Statements run in forked
 * processes (docs/decisions/2026-11-21-duckdb.md). Each sees the files as they were when it started; when one
 * changes, new processes take over. Rejects with a `QuerentError` that says what to do if there is nothing to
 * read.
 */
export const makeDuckdbConnector = async ({
  path,
  processes = 2,
  timeZone = 'UTC',
}: DuckdbOptions): Promise<Connector> => {
  const pools = new Set<ChildPool>()
  /**
   * Shared by all pools: a file that is written all the time must not start a new pool's worth of processes each
   * time.
   */
  const slots = makeSemaphore(processes)
  let current: { readonly version: string; readonly pool: ChildPool } | null = null
  let closed = false
  const threads = Math.max(1, Math.min(4, availableParallelism()))
  const memoryBytes = memoryShare(totalmem(), process.constrainedMemory())

  const makePool = (): ChildPool => {
    const task: ChildTask = { path, threads, memoryBytes, timeZone }
    const pool = makeChildPool({
      size: processes,
      slots,
      fork: signal =>
        forkChild(
          {
            path: programPath('src/databases/connectors/duckdb/child.ts'),
            told: JSON.stringify(task),
            env: {},
            cannotOpen: error => openError(path, error),
            toSqlError,
            brokenBy,
          },
          signal,
        ),
    })
    pools.add(pool)
    return pool
  }

  /** Processes that have opened the files as they are now. Older ones end when they are idle. */
  const poolNow = async (): Promise<ChildPool> => {
    if (closed) throw new SqlError('connection', 'The database has been closed.')
    const version = await sourceVersion(await findSource(path))
    if (closed) throw new SqlError('connection', 'The database has been closed.')
    if (current?.version !== version) {
      void current?.pool.retire()
      for (const pool of pools) if (pool.isUnused()) pools.delete(pool)
      current = { version, pool: makePool() }
    }
    return current.pool
  }

  const run = async (
    sql: string,
    options: RunOptions,
    onChild?: (child: Child) => void,
  ): Promise<ResultTable> => runInChild(await poolNow(), sql, options, onChild)

  await poolNow()
  return {
    dialect: 'duckdb',
    introspect: async ({ signal } = {}) => introspectInChild(await poolNow(), signal),
    explain: async (sql, options) => {
      const { rows } = await run(`${explainPrefix}${sql.sql}`, options)
      return rows.map(row => String(row[1])).join('\n')
    },
    run: (sql, options) => run(sql.sql, options),
    checkSafeguards: ({ signal } = {}) =>
      checkProcessSafeguards({ run, writes: writesFor(path), endless, signal }),
    close: async () => {
      closed = true
      await Promise.all([...pools].map(pool => pool.close()))
      pools.clear()
    },
  }
}
