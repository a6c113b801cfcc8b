import process from 'node:process'
import type { Connector, RunOptions } from '../../../core/connector.ts'
import { QuerentError } from '../../../core/errors.ts'
import type { Cell, ResultTable } from '../../../core/result.ts'
import { tryWalls } from '../try-walls.ts'
import { checkFile } from './check-file.ts'
import { makeChildPool } from './child-pool.ts'
import type { Child } from './fork-child.ts'
import { renderPlan } from './render-plan.ts'
import type { ChildReply } from './wire.ts'

export interface SqliteOptions {
  /** Absolute path. */
  readonly file: string
  /** How many statements may run at once, each in a process of its own. */
  readonly processes?: number
  /** IANA name for SQLite's 'localtime'; the machine's own by default. */
  readonly timeZone?: string
}

const introspectMilliseconds = 120_000
const probeMilliseconds = 10_000

/** Counts for days, in no memory to speak of. */
const endless =
  'with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 1000000000000) select count(*) from counted'

/** A statement that was stopped is gone with its process, and not before. */
const isProcess = (pid: number | undefined): boolean => {
  if (pid === undefined) return false
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const unexpected = (reply: ChildReply): QuerentError =>
  new QuerentError('internal', `A SQLite process answered ${reply.type} to another question.`)

/**
 * A SQLite file. Statements run in forked processes, because neither SQLite in this process nor in a thread could
 * be stopped once it has started (docs/decisions/2026-11-20-connectors.md). Rejects with a `QuerentError` that says
 * what to do when the file is not there or not a database.
 */
export const makeSqliteConnector = async (options: SqliteOptions): Promise<Connector> => {
  await checkFile(options.file)
  const pool = makeChildPool({ size: 4, ...options, ...(options.processes && { size: options.processes }) })

  const runText = (
    sql: string,
    { signal, ...limits }: RunOptions,
    onChild: (child: Child) => void = () => {},
  ): Promise<ResultTable> =>
    pool.use(async child => {
      onChild(child)
      const rows: (readonly Cell[])[] = []
      const started = performance.now()
      const reply = await child.request(
        { type: 'run', sql, maxRows: limits.maxRows, maxBytes: limits.maxBytes },
        {
          timeoutMs: limits.timeoutMs,
          onRows: batch => {
            for (const row of batch) rows.push(row)
          },
          ...(signal && { signal }),
        },
      )
      if (reply.type !== 'done') throw unexpected(reply)
      const { columns, truncated } = reply
      return { columns, rows, truncated, milliseconds: performance.now() - started }
    }, signal)

  return {
    dialect: 'sqlite',
    introspect: ({ signal } = {}) =>
      pool.use(async child => {
        const reply = await child.request(
          { type: 'introspect' },
          { timeoutMs: introspectMilliseconds, ...(signal && { signal }) },
        )
        if (reply.type !== 'catalog') throw unexpected(reply)
        return reply.catalog
      }, signal),
    explain: async (sql, runOptions) =>
      renderPlan(await runText(`explain query plan\n${sql.sql}`, runOptions)),
    run: (sql, runOptions) => runText(sql.sql, runOptions),
    tryWalls: ({ signal } = {}) => {
      const pids = new Map<string, number>()
      const wallLimits = { maxRows: 1, maxBytes: 1024 }
      return tryWalls(
        {
          write: name =>
            runText(`create table ${name} (x integer)`, {
              ...wallLimits,
              timeoutMs: probeMilliseconds,
              ...(signal && { signal }),
            }),
          endless: (mark, limits) =>
            runText(endless, { ...wallLimits, ...limits }, child => pids.set(mark, child.pid)),
          isAtWork: async mark => isProcess(pids.get(mark)),
          // A file has no users. Whether ours may write to it says little: in WAL mode even reading needs that.
          roleCanWrite: async () => null,
        },
        signal,
      )
    },
    close: () => pool.close(),
  }
}
