import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import { makeGuard } from '../../src/databases/guard/guard.ts'
import { type OpenOptions, openDatabase } from '../../src/databases/open-database.ts'
import type { Column } from '../../src/domain/catalog.ts'
import type { Database } from '../../src/domain/database.ts'
import { silentAudit } from '../../src/domain/operations/audit.ts'
import { type Log, silentLog } from '../../src/domain/operations/telemetry.ts'
import type { Guard } from '../../src/domain/sql.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'

const guard = makeGuard()

const limits = { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 }

let test: TestDatabase

let client: Client

let folder: string

const warnings: unknown[] = []

const log: Log = { ...silentLog, warn: (fields, message) => warnings.push({ ...fields, message }) }

beforeAll(async () => {
  test = await createTestDatabase()
  folder = mkdtempSync(join(tmpdir(), 'querent-cache-'))
  client = new Client({ connectionString: test.url })
  await client.connect()
  await client.query(`
    create type mood as enum ('calm', 'rough');
    create domain tonnes as numeric(8, 2);
    create table "Ports" (id uuid primary key, "Name" text, zip varchar(10), open boolean, facts jsonb, tags text[],
      depth tonnes, sea mood, seen timestamptz, opens time, stay interval, flag bytea, since date, visits bigint);
    comment on column "Ports".depth is 'at low water';
    insert into "Ports" values
      ('00000000-0000-0000-0000-000000000001', 'Málaga', '00501', true, '{"a": 1}', '{x,y}', 12.5, 'calm',
       '2026-01-02 03:04:05Z', '08:00', '2 days', '\\x01', '1900-01-01', 9007199254740993),
      ('00000000-0000-0000-0000-000000000002', 'Hull', '94105', false, null, null, 9, 'rough', null, null, null, null,
       '2026-10-30', 1);
    create schema log;
    create table log.calls (id integer primary key, port_id uuid, ship text);
    insert into log.calls select n, ('00000000-0000-0000-0000-00000000000' || (1 + n % 2))::uuid, 'Ship ' || n % 3
      from generate_series(1, 30) n;
    create table log."Ports" (id integer, remark text);
    insert into log."Ports" values (1, 'another of the name');
    create view busy as select "Name" as port, count(*) as calls from "Ports" p join log.calls c on c.port_id = p.id
      group by 1;
    create view broken as select 1 / (id - 1) as x from log."Ports";
    create table readings as select n as id, 'kind ' || n % 5 as kind, n % 1000 as amount
      from generate_series(1, 300000) n;
    analyze;
  `)
})

afterAll(async () => {
  await client.end()
  await test.drop()
  rmSync(folder, { recursive: true, force: true })
})

const open = (options: Partial<OpenOptions> = {}) =>
  openDatabase(parseDatabaseReference(test.url, { baseFolder: '/' }), {
    audit: silentAudit,
    guard,
    limits,
    timeZone: 'UTC',
    log,
    ...options,
  })

describe('a database on Postgres', () => {
  let database: Database
  let close: () => Promise<void>
  beforeAll(async () => {
    ;({ database, close } = await open())
  })
  afterAll(() => close())

  const columnOf = (table: string, name: string): Column | undefined =>
    database.catalog.tables.find(one => one.name === table)?.columns.find(column => column.name === name)
  const profileOf = (table: string, name: string) => columnOf(table, name)?.profile

  it('is profiled whatever its types are', () => {
    expect(profileOf('Ports', 'Name')).toMatchObject({
      distinctCount: 2,
      min: 'Hull',
      max: 'Málaga',
      meanLength: 5,
    })
    expect(columnOf('Ports', 'zip')).toMatchObject({ kind: 'text', profile: { numericText: true } })
    expect(profileOf('Ports', 'open')?.mostFrequent).toEqual([
      { value: false, count: 1 },
      { value: true, count: 1 },
    ])
    expect(profileOf('Ports', 'depth')).toMatchObject({ min: 9, max: 12.5 })
    expect(profileOf('Ports', 'sea')?.mostFrequent.map(({ value }) => value)).toEqual(['calm', 'rough'])
    expect(profileOf('Ports', 'seen')).toMatchObject({ min: '2026-01-02T03:04:05+00:00', nullShare: 0.5 })
    expect(profileOf('Ports', 'seen')?.mostFrequent[0]?.value).toMatch(/^2026-01-02T03:04:05\+00/)
    expect(profileOf('Ports', 'since')).toMatchObject({ min: '1900-01-01', max: '2026-10-30' })
    expect(profileOf('Ports', 'visits')).toMatchObject({ max: 9007199254740993n })
    for (const name of ['facts', 'tags', 'opens', 'stay', 'flag'])
      expect(profileOf('Ports', name)).toMatchObject({ nullShare: 0.5 })
  })

  it('has its views profiled too, and a view that fails does no harm', () => {
    expect(profileOf('busy', 'calls')).toMatchObject({ min: 15, max: 15 })
    expect(profileOf('broken', 'x')).toBeNull()
    expect(warnings).toMatchObject([{ table: 'broken' }])
  })

  it('has large tables sampled', () => {
    const profile = profileOf('readings', 'kind')
    expect(profile?.rowsRead).toBeGreaterThan(80_000)
    expect(profile?.rowsRead).toBeLessThan(120_000)
    expect(profile?.distinctCount).toBe(5)
    expect(database.catalog.tables.find(({ name }) => name === 'readings')?.rowCount).toBe(300_000)
  })

  it('gets the keys that nobody declared, across schemas', () => {
    expect(database.catalog.foreignKeys).toEqual([
      {
        from: { table: 'calls', columns: ['port_id'] },
        to: { table: 'Ports', columns: ['id'] },
        source: 'derived',
        inclusion: 1,
      },
    ])
  })

  it('has its values found, under names that tell tables of one name apart', () => {
    expect(database.findValues('malaga')[0]).toMatchObject({
      table: 'Ports',
      column: 'Name',
      value: 'Málaga',
    })
    expect(database.findValues('ship 2')[0]).toMatchObject({
      table: 'calls',
      column: 'ship',
      value: 'Ship 2',
    })
    expect(database.findValues('another of the name')[0]).toMatchObject({ table: 'log.Ports' })
    expect(database.findValues('00000000-0000-0000-0000-000000000001')).toEqual([])
    expect(database.findValues('rough')[0]).toMatchObject({ column: 'sea' })
  })

  it('is sampled the same each time', async () => {
    const again = await open()
    await again.close()
    expect(again.database.catalog).toEqual(database.catalog)
  })
})

describe('what was found out about a server', () => {
  let statements = 0
  const counting: Guard = (sql, dialect) => {
    statements += 1
    return guard(sql, dialect)
  }
  const at = (day: number, hour: number) => ({ now: () => new Date(Date.UTC(2026, 10, day, hour)) })
  const wasRead = async (options: Partial<OpenOptions>): Promise<boolean> => {
    statements = 0
    const { close } = await open({ cacheFolder: folder, guard: counting, ...options })
    await close()
    return statements > 0
  }

  it('is kept for a day, and not when the schema has changed', async () => {
    await client.query('drop view broken')
    expect(await wasRead(at(20, 12))).toBe(true)
    expect(await wasRead(at(21, 11))).toBe(false)
    await client.query('alter table log.calls add column berth text')
    expect(await wasRead(at(21, 15))).toBe(true)
    expect(await wasRead(at(21, 16))).toBe(false)
    expect(await wasRead({ ...at(21, 16), timeZone: 'Europe/Berlin' })).toBe(true)
  })
})
