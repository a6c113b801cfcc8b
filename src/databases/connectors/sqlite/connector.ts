import { open, stat } from 'node:fs/promises'
import type { Connector, RunOptions } from '../../../domain/database.ts'
import { QuerentError } from '../../../domain/errors.ts'
import type { ResultTable } from '../../../domain/result.ts'
import { programPath } from '../../../lib/project.ts'
import { type Child, forkChild } from '../child/fork.ts'
import { introspectInChild, makeChildPool, runInChild } from '../child/pool.ts'
import { refuseSpecialFile } from '../file-kind.ts'
import { checkProcessSafeguards } from '../safeguards.ts'
import { openError, toSqlError } from './errors.ts'
import { renderPlan } from './plan.ts'

interface SqliteOptions {
  /** Absolute path. */
  readonly file: string
  /** How many statements can run at once, each in its own process. */
  readonly processes?: number
  /** IANA time zone for SQLite's 'localtime'; the machine's own by default. */
  readonly timeZone?: string
}

/** Counts for days, in little memory. */
const endless =
  'with recursive counted(n) as (select 1 union all select n + 1 from counted where n < 1000000000000) select count(*) from counted'

/**
 * Opens a SQLite file. Statements run in forked processes, because neither SQLite in this process nor in a thread
 * can be stopped once a statement has started (docs/decisions/2026-11-20-connectors.md). Rejects with a
 * `QuerentError` that says what to do if the file does not exist or is not a database.
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
          path: programPath('src/databases/connectors/sqlite/child.ts'),
          told: file,
          // SQLite's date functions read only the time zone from it ('localtime').
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

/** The first 16 bytes of every SQLite 3 file that is not empty (https://www.sqlite.org/fileformat.html). */
const signature = 'SQLite format 3\u0000'

const readStart = async (file: string): Promise<string> => {
  const handle = await open(file, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await handle.close()
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'

/**
 * Checks early what SQLite would only report as "unable to open database file". Rejects with `QuerentError`:
 * `unknown-database` if there is no such database, `database-unreachable` if it cannot be read.
 */
const checkDatabaseFile = async (file: string): Promise<void> => {
  let start: string
  try {
    const status = await stat(file)
    if (status.isDirectory())
      throw new QuerentError(
        'unknown-database',
        `${file} is a folder. Give the path of one SQLite file in it.`,
      )
    refuseSpecialFile(file, status)
    start = await readStart(file)
  } catch (error) {
    if (error instanceof QuerentError) throw error
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new QuerentError(
        'unknown-database',
        `There is no file ${file}. Check the path; a relative one starts at the folder the command was typed in, and in querent.yml at that file.`,
        { cause: error },
      )
    throw new QuerentError(
      'database-unreachable',
      `${file} cannot be read (${code}). Check that the user this runs as can read it.`,
      { cause: error },
    )
  }
  if (start === '')
    throw new QuerentError('unknown-database', `${file} is empty: there is no database in it yet.`)
  if (start !== signature)
    throw new QuerentError(
      'unknown-database',
      `${file} is not a SQLite database (it does not begin with "SQLite format 3"). If it is encrypted, decrypt it first.`,
    )
}
