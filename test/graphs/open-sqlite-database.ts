import { afterAll, beforeAll } from 'vitest'
import { connect } from '../../src/databases/connect.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { makeRunQuery } from '../../src/databases/run-query.ts'
import type { Connector, Database } from '../../src/domain/database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

/**
 * A SQLite database made from statements for the test file that calls this, as the graph asks it: with the guard, and
 * no values to find. It is gone after the last test; the result is for within tests.
 */
export const openSqliteDatabase = (name: string, statements: string): (() => Database) => {
  const made = makeSqliteFile(statements)
  let connector: Connector
  let database: Database
  beforeAll(async () => {
    connector = await connect({ dialect: 'sqlite', name, location: made.file }, { audit: silentAudit })
    const guard = makeGuard()
    database = {
      name,
      dialect: 'sqlite',
      catalog: await connector.introspect(),
      findValues: () => [],
      guard: sql => guard(sql, 'sqlite'),
      run: makeRunQuery({ connector, limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 } }),
      indexMilliseconds: 0,
    }
  })
  afterAll(async () => {
    await connector?.close()
    made.remove()
  })
  return () => database
}
