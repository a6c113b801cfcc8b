import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { type OpenDatabase, type OpenOptions, openDatabase } from '../../../src/databases/open-database.ts'
import type { ReadScope } from '../../../src/domain/database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { type Log, silentLog } from '../../../src/domain/operations/telemetry.ts'
import type { Guard } from '../../../src/domain/sql.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'

const HOUR = 3_600_000

const limits = { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 }

const guard = makeGuard()

const secret = '123-45-6789'

const masked: ReadScope = {
  tables: { include: [], exclude: [] },
  columns: { exclude: [], mask: ['people.ssn'] },
}

let test: TestDatabase

let client: Client

let folder: string

let hour: number

let warnings: string[]

let opened: OpenDatabase[]

const log: Log = { ...silentLog, warn: (_, message) => void warnings.push(message) }

const open = async (options: Partial<OpenOptions> = {}): Promise<OpenDatabase> => {
  const database = await openDatabase(parseDatabaseReference(test.url, { baseFolder: '/' }), {
    audit: silentAudit,
    guard,
    limits,
    cacheFolder: folder,
    log,
    now: () => new Date(Date.UTC(2026, 10, 20) + hour * HOUR),
    ...options,
  })
  opened.push(database)
  return database
}

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
    drop table if exists people;
    create table people (id integer primary key, name text, ssn text);
    insert into people values (1, 'Ann', '${secret}'), (2, 'Bob', '987-65-4321');
  `)
  folder = mkdtempSync(join(tmpdir(), 'querent-scoped-'))
  hour = 0
  warnings = []
  opened = []
})

afterEach(async () => {
  await Promise.all(opened.map(database => database.close()))
  rmSync(folder, { recursive: true, force: true })
})

it('keeps a masked column closed when it gets another name, and says that the list has to be corrected', async () => {
  const people = await open({ scope: masked })
  await client.query('alter table people rename column ssn to social_security_number')
  hour = 0.1
  people.refreshIfStale()
  await vi.waitFor(() => expect(warnings).toHaveLength(1), 10_000)
  expect(people.database.findValues(secret)).toEqual([])
  expect(JSON.stringify(people.database.catalog)).not.toContain(secret)
  expect(people.database.guard('select social_security_number from people').verdict).toBe('refuse')
  expect(people.database.guard('select name from people').verdict).toBe('allow')
  await expect(people.refresh()).rejects.toMatchObject({ code: 'bad-configuration' })
})

it('never serves what a process with other settings has indexed', async () => {
  const found: number[] = []
  let narrow: OpenDatabase | null = null
  const looking: Guard = (sql, dialect) => {
    if (narrow) found.push(narrow.database.findValues(secret).length)
    return guard(sql, dialect)
  }
  narrow = await open({ scope: masked, guard: looking })
  hour = 25
  const wide = await open()
  expect(wide.database.findValues(secret).length).toBeGreaterThan(0)
  await wide.close()
  hour = 25.1
  narrow.refreshIfStale()
  await vi.waitFor(
    () => expect(narrow?.report().measuredAt).toEqual(new Date(Date.UTC(2026, 10, 21, 1, 6))),
    10_000,
  )
  expect(found.length).toBeGreaterThan(0)
  expect(found.filter(count => count > 0)).toEqual([])
  expect(narrow.database.findValues(secret)).toEqual([])
})

it('gives up a refresh that somebody waits for when it is closed', async () => {
  const people = await open()
  const waiting = new AbortController()
  const refreshing = people.refresh({ signal: waiting.signal }).then(
    () => 'done',
    () => 'given up',
  )
  await people.close()
  expect(await refreshing).toBe('given up')
})
