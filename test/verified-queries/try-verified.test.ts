import { expect, it } from 'vitest'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { openDatabase } from '../../src/databases/open-database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import type { StoredVerifiedQuery } from '../../src/domain/verified-query.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeTryVerified } from '../../src/verified-queries/recheck-verified.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'

it('a verified query that became too expensive is not broken: it runs again with fewer rows or a higher limit', async () => {
  await using undo = new AsyncDisposableStack()
  const file = undo.adopt(
    makeSqliteFile("create table boats (name text); insert into boats values ('Alba'), ('Brisa'), ('Cala');"),
    made => made.remove(),
  )
  const trialWith = async (heavyRows: number, sql: string) => {
    const opened = undo.adopt(
      await openDatabase(parseDatabaseReference(`sqlite:${file.file}`, { baseFolder: '/' }), {
        audit: silentAudit,
        guard: makeGuard(),
        limits: { timeoutMs: 5_000, maxRows: 100, maxBytes: 100_000 },
        heavyRows,
      }),
      ({ close }) => close(),
    )
    return makeTryVerified({ resultKey })({ sql } as StoredVerifiedQuery, opened.database)
  }
  const sql = "select count(*) from boats where name <> 'Dora'"
  expect(await trialWith(2, sql)).toEqual({
    status: 'too-heavy',
    reason: expect.stringContaining('This reads about 3 rows, most of them of boats.'),
  })
  expect(await trialWith(3, sql)).toMatchObject({ status: 'ran', rowCount: 1 })
  // No more is read of a table than it has, whatever may be.
  expect(await trialWith(3, 'select name from boats')).toMatchObject({ status: 'ran', rowCount: 3 })
  expect(await trialWith(3, 'select depth from boats')).toMatchObject({ status: 'broken' })
})
