import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { type OpenDatabase, openDatabase } from '../../../src/databases/open-database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { ExpensiveQueryError } from '../../../src/domain/sql.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'

const ROWS = 50_000

const LIMIT = 40_000

describe.each(['postgres', 'sqlite'] as const)('statements that read much, on %s', kind => {
  let opened: OpenDatabase
  let remove: () => Promise<void> | void
  beforeAll(async () => {
    const made = kind === 'postgres' ? await makePostgres() : makeSqlite()
    remove = made.remove
    opened = await openDatabase(parseDatabaseReference(made.reference, { baseFolder: '/' }), {
      audit: silentAudit,
      guard: makeGuard(),
      limits: { timeoutMs: 30_000, maxRows: 20, maxBytes: 1_000_000 },
      exportLimits: { timeoutMs: 30_000, maxRows: 30, maxBytes: 1_000_000 },
      heavyRows: LIMIT,
    })
  })
  afterAll(async () => {
    await opened.close()
    await remove()
  })

  const run = async (sql: string, options: { readonly evenIfHeavy?: boolean } = {}) => {
    const verdict = opened.database.guard(sql)
    if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
    return opened.database.run(verdict.guarded, options)
  }

  it('are not run unless somebody says so', async () => {
    const sql = "select count(*) from events where kind = 'k1'"
    const error = await run(sql).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ExpensiveQueryError)
    expect(error).toMatchObject({
      errorClass: 'too-heavy',
      estimate: { rows: ROWS, table: 'events' },
      message: expect.stringContaining('50,000 rows, most of them of events'),
    })
    expect((await run(sql, { evenIfHeavy: true })).rows).toHaveLength(1)
  })

  it('are told from those that a limit or an index ends early', async () => {
    expect((await run('select * from events')).rows).toHaveLength(20)
    expect((await run('select * from events where id = 77')).rows).toHaveLength(1)
    expect((await run('select count(*) from users')).rows).toEqual([[100]])
  })

  it('are told by what a join multiplies', async () => {
    await expect(
      run('select count(*) from users a, users b, users c where a.name < b.name and b.name < c.name'),
    ).rejects.toThrow(/about [\d,]+ (million )?rows/)
    await expect(run('select count(*) from events e where e.id % 7 = 1')).rejects.toThrow(
      'most of them of events',
    )
  })

  it('leave it to the run to say what is wrong with a statement', async () => {
    await expect(run('select depth from events')).rejects.toMatchObject({ errorClass: 'unknown-column' })
  })
})

const makePostgres = async () => {
  const database = await createTestDatabase({ on: 'embedded' })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query(`
    create table events (id integer primary key, kind text);
    insert into events select i, 'k' || i % 7 from generate_series(1, ${ROWS}) i;
    create table users (id integer primary key, name text);
    insert into users select i, 'u' || i from generate_series(1, 100) i;
  `)
  await client.query('analyze')
  await client.end()
  return { reference: database.url, remove: () => database.drop() }
}

const makeSqlite = () => {
  const numbers = (most: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${most})`
  const { file, remove } = makeSqliteFile(`
    create table events (id integer primary key, kind text);
    insert into events ${numbers(ROWS)} select i, 'k' || i % 7 from n;
    create table users (id integer primary key, name text);
    insert into users ${numbers(100)} select i, 'u' || i from n;
  `)
  return { reference: `sqlite:${file}`, remove }
}
