import { afterAll, beforeAll } from 'vitest'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../src/databases/open-database.ts'
import type { Database } from '../../src/domain/database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import type { ResultTable } from '../../src/domain/result.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

/**
 * A SQLite database made from statements for the suite that calls this, measured and indexed. It is gone after the last
 * test; what is returned is for within tests. `run` runs a statement that the guard lets through.
 */
export const indexedSqlite = (name: string, statements: string) => {
  const made = makeSqliteFile(statements)
  let opened: OpenDatabase
  beforeAll(async () => {
    opened = await openDatabase(
      { dialect: 'sqlite', name, location: made.file },
      { audit: silentAudit, guard: makeGuard(), limits: { timeoutMs: 5000, maxRows: 1000, maxBytes: 1e6 } },
    )
  })
  afterAll(async () => {
    await opened?.close()
    made.remove()
  })
  return {
    database: (): Database => opened.database,
    run: async (sql: string): Promise<ResultTable> => {
      const verdict = opened.database.guard(sql)
      if (verdict.verdict !== 'allow') throw new Error(`${sql}: ${verdict.reason}`)
      return opened.database.run(verdict.guarded)
    },
  }
}
