import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, expect, it } from 'vitest'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { openDatabase } from '../../../src/databases/open-database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { type Log, silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeDuckdbFile } from '../../helpers/duckdb-file.ts'
import { makeSqliteFile } from '../../helpers/sqlite-file.ts'
import { createTestDatabase } from '../../helpers/test-database.ts'

const removals: (() => Promise<void> | void)[] = []

afterAll(async () => {
  for (const remove of removals.reverse()) await remove()
})

/** A database where nothing over 100 rows is read unasked, and what its log says of statements that nobody could weigh. */
const open = async (reference: string) => {
  const told: unknown[] = []
  const log: Log = {
    ...silentLog,
    info: (fields, message) => void (message.includes('is not known') && told.push(fields)),
  }
  const opened = await openDatabase(parseDatabaseReference(reference, { baseFolder: '/' }), {
    ...{ audit: silentAudit, guard: makeGuard(), heavyRows: 100, name: 'shop', log },
    limits: { timeoutMs: 30_000, maxRows: 20, maxBytes: 1_000_000 },
  })
  removals.push(() => opened.close())
  const run = async (sql: string) => {
    const verdict = opened.database.guard(sql)
    if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
    return (await opened.database.run(verdict.guarded)).rows.map(row => row.map(Number))
  }
  return { run, told }
}

it('on Postgres a statement that gets no plan in time is run, and the log says that nobody knew', async () => {
  const database = await createTestDatabase({ on: 'embedded' })
  removals.push(() => database.drop())
  const owner = new Client({ connectionString: database.url })
  await owner.connect()
  removals.push(() => owner.end())
  await owner.query('create table events as select i as id from generate_series(1, 5000) i; analyze events')
  const { run, told } = await open(database.url)
  await expect(run('select count(*) from events')).rejects.toMatchObject({ errorClass: 'too-heavy' })
  expect(told).toEqual([])
  // Neither a plan nor rows are to be had of a table that somebody alters.
  await owner.query('begin; lock table events in access exclusive mode')
  const running = run('select count(*) from events')
  await expect
    .poll(() => told, { timeout: 20_000 })
    .toEqual([{ database: 'shop', plan: 'failed', errorClass: 'timeout' }])
  await owner.query('rollback')
  expect(await running).toEqual([[5000]])
})

it('on Postgres what is wrong with a statement is told by its run alone', async () => {
  const database = await createTestDatabase({ on: 'embedded' })
  removals.push(() => database.drop())
  const owner = new Client({ connectionString: database.url })
  await owner.connect()
  await owner.query('create table events as select i as id from generate_series(1, 5000) i; analyze events')
  await owner.end()
  const { run, told } = await open(database.url)
  await expect(run('select depth from events')).rejects.toMatchObject({ errorClass: 'unknown-column' })
  expect(told).toEqual([])
})

it('on SQLite what an index finds passes for one row each, and is run', async () => {
  const { file, remove } = makeSqliteFile(`
    create table events (id integer primary key, kind text);
    insert into events with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select i, 'k' from n;
    create index events_kind on events (kind);
  `)
  removals.push(remove)
  const { run, told } = await open(`sqlite:${file}`)
  await expect(run('select count(*) from events')).rejects.toMatchObject({ errorClass: 'too-heavy' })
  expect(await run("select count(*) from events where kind = 'k'")).toEqual([[5000]])
  expect(told).toEqual([])
})

it('on SQLite a source without a size is run, and the log says that nobody knew', async () => {
  const { file, remove } = makeSqliteFile(`
    create table events (id integer primary key, kind text);
    insert into events with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000) select i, 'k' from n;
  `)
  removals.push(remove)
  const { run, told } = await open(`sqlite:${file}`)
  expect(await run("select count(*) from json_each('[1, 2, 3]')")).toEqual([[3]])
  expect(told).toEqual([{ database: 'shop', plan: 'without-numbers' }])
})

it('on DuckDB a plan is read whatever the names in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'querent-duckdb-'))
  removals.push(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'a name of some length.duckdb')
  const long = `events_of_${'all_the_boats_and_'.repeat(4)}harbours`
  await makeDuckdbFile(
    file,
    `create table ${long} as select range as id from range(5000); create table few as select range as id from range(50)`,
  )
  const { run, told } = await open(`duckdb:${file}`)
  const error = await run(`select count(*) from ${long} where id > 3`).catch((error: unknown) => error)
  expect(error).toMatchObject({ errorClass: 'too-heavy', estimate: { rows: 5000, table: long } })
  expect(await run('select count(*) from few')).toEqual([[50]])
  await expect(run('select count(*) from few a, few b where a.id + b.id > 3')).rejects.toMatchObject({
    errorClass: 'too-heavy',
  })
  expect(told).toEqual([])
})
