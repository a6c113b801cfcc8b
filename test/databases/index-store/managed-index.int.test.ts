import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { type OpenDatabase, type OpenOptions, openDatabase } from '../../../src/databases/open-database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { type Log, silentLog } from '../../../src/domain/operations/telemetry.ts'
import type { Guard } from '../../../src/domain/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'

const HOUR = 3_600_000

const guard = makeGuard()

const limits = { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 }

let test: TestDatabase

let client: Client

let folder: string

let hour: number

let statements: string[]

let warnings: string[]

let opened: OpenDatabase[]

const counting: Guard = (sql, dialect) => {
  statements.push(sql)
  return guard(sql, dialect)
}

const now = (): Date => new Date(Date.UTC(2026, 10, 20) + hour * HOUR)

const log: Log = { ...silentLog, warn: (_, message) => void warnings.push(message) }

const open = async (options: Partial<OpenOptions> = {}): Promise<OpenDatabase> => {
  const database = await openDatabase(parseDatabaseReference(test.url, { baseFolder: '/' }), {
    audit: silentAudit,
    guard: counting,
    limits,
    timeZone: 'UTC',
    cacheFolder: folder,
    log,
    now,
    ...options,
  })
  opened.push(database)
  return database
}

const rowsOf = ({ database }: OpenDatabase, table: string): number | null | undefined =>
  database.catalog.tables.find(({ name }) => name === table)?.rowCount

beforeAll(async () => {
  test = await createTestDatabase()
  client = new Client({ connectionString: test.url })
  await client.connect()
})

afterAll(async () => {
  await client.end()
  await test.drop()
})

beforeEach(async () => {
  await client.query(`
    drop table if exists ships, ports, piers;
    create table ships (id integer primary key, name text);
    insert into ships values (1, 'Amber'), (2, 'Brisk');
    create table ports (id integer primary key, name text);
    insert into ports values (1, 'Hull');
  `)
  folder = mkdtempSync(join(tmpdir(), 'querent-cache-'))
  hour = 0
  statements = []
  warnings = []
  opened = []
})

afterEach(async () => {
  await Promise.all(opened.map(database => database.close()))
  rmSync(folder, { recursive: true, force: true })
})

describe('an index that is too old', () => {
  it('is used immediately, and measured again in the background', async () => {
    await (await open()).close()
    await client.query(`insert into ships values (3, 'Calm')`)
    hour = 25
    const second = await open()
    const before = second.database
    expect(rowsOf(second, 'ships')).toBe(2)
    await vi.waitFor(() => expect(rowsOf(second, 'ships')).toBe(3), 10_000)
    expect(second.database.findValues('calm')[0]).toMatchObject({ value: 'Calm' })
    expect(before.catalog.tables.map(table => table.rowCount)).toEqual([1, 2])
    await second.close()
    statements = []
    expect(rowsOf(await open(), 'ships')).toBe(3)
    expect(statements).toEqual([])
  })

  it('is measured again before it is used if it is much too old', async () => {
    await (await open()).close()
    await client.query(`insert into ships values (3, 'Calm')`)
    hour = 24 * 8
    expect(rowsOf(await open(), 'ships')).toBe(3)
  })
})

describe('a process that stays', () => {
  it('notices a new table without a restart, and measures that table alone', async () => {
    const database = await open()
    await client.query(
      `create table piers (id integer primary key, name text); insert into piers values (1, 'P1')`,
    )
    statements = []
    database.refreshIfStale()
    hour += 0.1
    database.refreshIfStale()
    database.refreshIfStale()
    await vi.waitFor(() => expect(rowsOf(database, 'piers')).toBe(1), 10_000)
    expect(statements.some(sql => /from "?(public"?\."?)?ships/i.test(sql) && /avg/.test(sql))).toBe(false)
    expect(statements.filter(sql => /piers/.test(sql) && /avg/.test(sql))).toHaveLength(1)
  })

  it('looks once however often it is asked', async () => {
    const database = await open()
    hour = 25
    statements = []
    for (let time = 0; time < 20; time++) database.refreshIfStale()
    await vi.waitFor(
      () => expect(database.report().measuredAt).toEqual(new Date(Date.UTC(2026, 10, 21, 1))),
      10_000,
    )
    expect(statements.filter(sql => /ships/.test(sql) && /avg/.test(sql))).toHaveLength(1)
  })

  it('uses the old index on when the database is gone, and says so once', async () => {
    const doomed = await createTestDatabase()
    const database = await openDatabase(parseDatabaseReference(doomed.url, { baseFolder: '/' }), {
      audit: silentAudit,
      guard,
      limits,
      log,
      now,
    })
    opened.push(database)
    const before = database.database
    await doomed.drop()
    for (hour of [25, 25.05, 25.1]) {
      database.refreshIfStale()
      await vi.waitFor(() => expect(warnings).toHaveLength(1), 10_000)
    }
    expect(warnings).toEqual(['The index could not be refreshed. The old one stays in use.'])
    expect(database.database).toBe(before)
  })

  it('keeps the earlier measurements of a table that cannot be measured any more', async () => {
    let broken = false
    const database = await open({
      guard: (sql, dialect) =>
        broken && /ships/.test(sql) ? { verdict: 'refuse', reason: 'not now' } : counting(sql, dialect),
    })
    broken = true
    await client.query(`insert into ports values (2, 'Cork')`)
    const report = await database.refresh()
    // The earlier profile lists all values of its columns.
    expect(report.leftOut).toMatchObject([{ what: 'ships', why: expect.stringContaining('not now') }])
    expect(database.database.findValues('brisk')[0]).toMatchObject({ value: 'Brisk' })
    expect([rowsOf(database, 'ships'), rowsOf(database, 'ports')]).toEqual([2, 2])
  })

  it('takes at once what another process has measured, when it hears of it', async () => {
    const measured: string[] = []
    const [here, there] = [await open(), await open({ onMeasured: print => measured.push(print) })]
    await client.query(`insert into ships values (3, 'Calm')`)
    hour += 0.001
    await there.refresh()
    expect(measured).toEqual([there.database.catalog.fingerprint])
    expect(rowsOf(here, 'ships')).toBe(2)
    statements = []
    here.invalidate()
    await vi.waitFor(() => expect(rowsOf(here, 'ships')).toBe(3), 10_000)
    expect(statements).toEqual([])
  })

  it('looks for itself when it hears of a change and shares no folder', async () => {
    const other = mkdtempSync(join(tmpdir(), 'querent-cache-'))
    try {
      const here = await open({ cacheFolder: other })
      await client.query(`create table piers (id integer primary key, name text)`)
      here.invalidate()
      await vi.waitFor(() => expect(rowsOf(here, 'piers')).toBe(0), 10_000)
      await here.close()
    } finally {
      rmSync(other, { recursive: true, force: true })
    }
  })

  it('leaves the work to another process that is at it', async () => {
    const database = await open()
    const [file] = readdirSync(folder)
    writeFileSync(join(folder, `${file}.lock`), '')
    hour = 25
    statements = []
    database.refreshIfStale()
    // One that is called off waits for the other to end, and measures nothing itself.
    await expect(database.refresh({ signal: AbortSignal.abort() })).rejects.toThrow()
    expect(statements).toEqual([])
    expect(readdirSync(folder)).toContain(`${file}.lock`)
  })

  it('takes what another process has measured meanwhile', async () => {
    const database = await open()
    hour = 25
    const other = await open()
    await vi.waitFor(
      () => expect(other.report().measuredAt).toEqual(new Date(Date.UTC(2026, 10, 21, 1))),
      10_000,
    )
    await vi.waitFor(() => expect(readdirSync(folder)).toHaveLength(1), 10_000)
    statements = []
    hour = 25.1
    database.refreshIfStale()
    await vi.waitFor(() => expect(database.report().measuredAt).toEqual(other.report().measuredAt), 10_000)
    expect(statements).toEqual([])
  })
})

describe('a schema that has changed', () => {
  it('is measured before it is used, but only what has changed', async () => {
    await (await open()).close()
    await client.query(`alter table ports add column country text; update ports set country = 'UK'`)
    statements = []
    const database = await open()
    expect(database.database.findValues('uk')[0]).toMatchObject({ column: 'country' })
    expect(statements.filter(sql => /avg/.test(sql) && /ships/.test(sql))).toEqual([])
    expect(database.report().measuredAt).toEqual(new Date(Date.UTC(2026, 10, 20)))
  })

  it('shows a comment at once, and measures nothing for it', async () => {
    await (await open()).close()
    await client.query(`comment on table ships is 'What sails'`)
    statements = []
    const { database } = await open()
    expect(database.catalog.tables.find(({ name }) => name === 'ships')?.comment).toBe('What sails')
    expect(statements.filter(sql => /avg/.test(sql))).toEqual([])
  })
})

describe('a refresh that is asked for', () => {
  it('measures everything, tells what it came to, and can be stopped', async () => {
    const database = await open()
    await client.query(`insert into ships values (3, 'Calm')`)
    const shares: number[] = []
    const report = await database.refresh({ onProgress: ({ done, total }) => shares.push(done / total) })
    expect(report).toMatchObject({ tables: 2, columns: 4, values: 4, leftOut: [], derivedKeys: [] })
    expect(report.bytes).toBeGreaterThan(0)
    expect(shares.at(-1)).toBe(1)
    await expect(database.refresh({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
    })
    expect(rowsOf(database, 'ships')).toBe(3)
  })
})
