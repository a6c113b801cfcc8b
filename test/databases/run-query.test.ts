import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/databases/connect.ts'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeRunQuery } from '../../src/databases/run-query.ts'
import type { Connector } from '../../src/domain/database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { forgeGuardedSql } from '../helpers/forge-guarded-sql.ts'

describe('makeRunQuery', () => {
  const baseFolder = mkdtempSync(join(tmpdir(), 'querent-run-'))
  let connector: Connector
  beforeAll(async () => {
    const database = new DatabaseSync(join(baseFolder, 'shop.sqlite'))
    database.exec('create table t (x); insert into t values (1), (2), (3), (4)')
    database.close()
    connector = await connect(parseDatabaseReference('sqlite:shop.sqlite', { baseFolder }), {
      audit: silentAudit,
    })
  })
  afterAll(async () => {
    await connector.close()
    rmSync(baseFolder, { recursive: true })
  })

  const limits = { timeoutMs: 10_000, maxRows: 3, maxBytes: 1000 }
  const sql = 'select x from t order by x'

  it('runs under the limits it was made with', async () => {
    const run = makeRunQuery({ connector, limits })
    expect(await run(forgeGuardedSql(sql, 'sqlite'))).toMatchObject({
      rows: [[1], [2], [3]],
      truncated: 'rows',
    })
  })

  it('runs under lower limits for one statement, never under higher ones', async () => {
    const run = makeRunQuery({ connector, limits })
    const rowsAt = async (maxRows: number) =>
      (await run(forgeGuardedSql(sql, 'sqlite'), { atMost: { maxRows } })).rows.length
    expect([await rowsAt(1), await rowsAt(100)]).toEqual([1, 3])
  })

  it('refuses a statement that was checked in another dialect', async () => {
    const run = makeRunQuery({ connector, limits })
    await expect(run(forgeGuardedSql(sql, 'postgres'))).rejects.toMatchObject({
      errorClass: 'refused',
      message: expect.stringContaining('checked as postgres'),
    })
  })

  it('hands the signal on', async () => {
    const run = makeRunQuery({ connector, limits })
    await expect(run(forgeGuardedSql(sql, 'sqlite'), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      errorClass: 'cancelled',
    })
  })
})
