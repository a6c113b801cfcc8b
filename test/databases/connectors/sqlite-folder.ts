import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll } from 'vitest'
import { watchProcesses } from './watch-processes.ts'

/** Looks at the child processes that have a SQLite file open. */
export const sqliteProcesses = watchProcesses('sqlite/child.ts', (word, file) => word === file)

/** Numbers from 1 to `count`, one a row. */
export const sqliteNumbers = (count: number): string =>
  `with recursive r(n) as (select 1 union all select n + 1 from r where n < ${count}) select n from r`

/** A folder for the SQLite files of the test file that calls this; it is gone after its last test. */
export const openSqliteFolder = (): { readonly folder: string; makeFile(sql: string): string } => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-sqlite-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let files = 0
  const makeFile = (sql: string): string => {
    files += 1
    const file = join(folder, `${files}.sqlite`)
    const database = new DatabaseSync(file)
    database.exec(sql)
    database.close()
    return file
  }
  return { folder, makeFile }
}
