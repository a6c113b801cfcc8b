import { join } from 'node:path'
import type { Connector, RunOptions } from '../../../core/connector.ts'
import type { ResultTable } from '../../../core/result.ts'
import { makeChildPool } from '../process/child-pool.ts'
import { type Child, forkChild } from '../process/fork-child.ts'
import { introspectInChild, runInChild } from '../process/run-in-child.ts'
import { checkProcessSafeguards } from '../process/try-process-walls.ts'
import { openError } from './cannot-open.ts'
import { checkDatabaseFile } from './check-file.ts'
import { toSqlError } from './error-class.ts'
import { renderPlan } from './render-plan.ts'

export interface SqliteOptions {
  /** Absolute path. */
  readonly file: string
  /** How many statements may run at once, each in a process of its own. */
  readonly processes?: number
  /** IANA name for SQLite's 'localtime'; the machine's own by default. */
  readonly timeZone?: string
}

/** Counts for days, in no memory to speak of. */
const endless =
  'with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 1000000000000) select count(*) from counted'

/**
 * A SQLite file. Statements run in forked processes, because neither SQLite in this process nor in a thread could
 * be stopped once it has started (docs/decisions/2026-11-20-connectors.md). Rejects with a `QuerentError` that says
 * what to do when the file is not there or not a database.
 */
export const makeSqliteConnector = async ({
  file,
  processes = 4,
  timeZone,
}: SqliteOptions): Promise<Connector> => {
  await checkDatabaseFile(file)
  const pool = makeChildPool({
    size: processes,
    fork: signal =>
      forkChild(
        {
          path: join(import.meta.dirname, 'child.ts'),
          told: file,
          // The time zone is all that SQLite's date functions read of it ('localtime').
          env: timeZone === undefined ? {} : { TZ: timeZone },
          cannotOpen: error => openError(file, error),
          toSqlError,
        },
        signal,
      ),
  })
  const run = (sql: string, options: RunOptions, onChild?: (child: Child) => void): Promise<ResultTable> =>
    runInChild(pool, sql, options, onChild)

  return {
    dialect: 'sqlite',
    introspect: ({ signal } = {}) => introspectInChild(pool, signal),
    explain: async (sql, runOptions) => renderPlan(await run(`explain query plan\n${sql.sql}`, runOptions)),
    run: (sql, runOptions) => run(sql.sql, runOptions),
    checkSafeguards: ({ signal } = {}) =>
      checkProcessSafeguards({ run, writes: name => [`create table ${name} (x integer)`], endless, signal }),
    close: () => pool.close(),
  }
}
