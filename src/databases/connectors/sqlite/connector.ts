import { randomUUID } from 'node:crypto'
import type { Connector, RunOptions } from '../../../core/connector.ts'
import { QuerentError } from '../../../core/errors.ts'
import type { Cell, ResultTable } from '../../../core/result.ts'
import { SqlError } from '../../../core/sql-error.ts'
import { checkFile } from './check-file.ts'
import { makeChildPool } from './child-pool.ts'
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
const probeLimits = { timeoutMs: 10_000, maxRows: 1, maxBytes: 1024 }

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

  const runText = (sql: string, { signal, ...limits }: RunOptions): Promise<ResultTable> =>
    pool.use(async child => {
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
    refusesWrites: async ({ signal } = {}) => {
      const table = `querent_write_probe_${randomUUID().replaceAll('-', '')}`
      try {
        await runText(`create table ${table} (x integer)`, { ...probeLimits, ...(signal && { signal }) })
        return false
      } catch (error) {
        if (error instanceof SqlError && error.errorClass === 'permission') return true
        throw error
      }
    },
    close: () => pool.close(),
  }
}
