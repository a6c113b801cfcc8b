import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { parseDatabaseReference } from '../../../src/databases/database-reference.ts'
import { makeGuard } from '../../../src/databases/guard/guard.ts'
import { unpackIndex } from '../../../src/databases/index-store/index-file.ts'
import { type OpenDatabase, type OpenOptions, openDatabase } from '../../../src/databases/open-database.ts'
import { type SharedIndexStore, unrestrictedScope } from '../../../src/domain/database.ts'
import { silentAudit } from '../../../src/domain/operations/audit.ts'
import { type Log, silentLog } from '../../../src/domain/operations/telemetry.ts'
import type { Guard } from '../../../src/domain/sql.ts'
import { makeSharedIndexes } from '../../../src/store/repositories/shared-indexes.ts'
import { createTestDatabase, type TestDatabase } from '../../helpers/test-database.ts'
import { openTestStore } from '../../store/setup/open-test-store.ts'

const HOUR = 3_600_000

const guard = makeGuard()

const SOON = { timeout: 20_000, interval: 20 }

let test: TestDatabase

let client: Client

let own: Awaited<ReturnType<typeof openTestStore>>

let shared: SharedIndexStore

let folders: string[]

let hour: number

let warnings: string[]

let opened: OpenDatabase[]

/** Behind the clock of the store, which keeps nothing that is ahead of it. */
const LAST_MONTH = Date.now() - 30 * 24 * HOUR

const now = (): Date => new Date(LAST_MONTH + hour * HOUR)

const log: Log = { ...silentLog, warn: (_, message) => void warnings.push(message) }

/** A replica on a machine of its own: another folder, the same store. It counts how often it measures the ships. */
const openReplica = async (options: Partial<OpenOptions> = {}) => {
  const replica = { measured: 0, told: 0 }
  const counting: Guard = (sql, dialect) => {
    if (/ships/.test(sql) && /avg/.test(sql)) replica.measured++
    return guard(sql, dialect)
  }
  const folder = mkdtempSync(join(tmpdir(), 'querent-replica-'))
  folders.push(folder)
  const database = await openDatabase(parseDatabaseReference(test.url, { baseFolder: '/' }), {
    ...{ audit: silentAudit, guard: counting, timeZone: 'UTC', cacheFolder: folder, log, now },
    limits: { timeoutMs: 10_000, maxRows: 100, maxBytes: 1_000_000 },
    sharedIndexes: shared,
    onMeasured: () => void replica.told++,
    ...options,
  })
  opened.push(database)
  return Object.assign(replica, { database })
}

const shipsOf = ({ database }: { readonly database: OpenDatabase }): number | null | undefined =>
  database.database.catalog.tables.find(({ name }) => name === 'ships')?.rowCount

const turns = async (sql: string): Promise<void> =>
  own.store.inTransaction(async tx => void (await own.store.executeIn(tx, sql)))

beforeAll(async () => {
  test = await createTestDatabase()
  client = new Client({ connectionString: test.url })
  await client.connect()
  own = await openTestStore()
})

afterAll(async () => {
  await client.end()
  await test.drop()
  await own[Symbol.asyncDispose]()
})

beforeEach(async () => {
  await client.query(`
    drop table if exists ships;
    create table ships (id integer primary key, name text);
    insert into ships values (1, 'Amber'), (2, 'Brisk');
  `)
  shared = makeSharedIndexes(own.store)
  await turns('delete from querent.shared_indexes')
  await turns('delete from querent.index_turns')
  folders = []
  hour = 0
  warnings = []
  opened = []
})

afterEach(async () => {
  await Promise.all(opened.map(database => database.close()))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

it('is taken over by a replica that starts, values and all, without measuring', async () => {
  const first = await openReplica()
  const second = await openReplica()
  expect([first.measured, second.measured]).toEqual([1, 0])
  expect(shipsOf(second)).toBe(2)
  expect(second.database.database.findValues('brisk')[0]).toMatchObject({ value: 'Brisk' })
  expect(second.database.report().isNew).toBe(false)
})

it('is measured by one of three replicas when it is old, and taken over by the others', async () => {
  const replicas = [await openReplica(), await openReplica(), await openReplica()]
  await client.query(`insert into ships values (3, 'Calm')`)
  hour = 25
  for (const { database } of replicas) database.refreshIfStale()
  await vi.waitFor(() => expect(replicas.filter(({ told }) => told > 0)).toHaveLength(1), SOON)
  // As the notice has them do.
  for (const { database } of replicas) database.invalidate()
  await vi.waitFor(() => expect(replicas.map(shipsOf)).toEqual([3, 3, 3]), SOON)
  // Once when the first of them was opened, and once now.
  expect(replicas.reduce((sum, { measured }) => sum + measured, 0)).toBe(2)
  expect(replicas.map(({ told }) => told).sort()).toEqual([0, 0, 1])
  expect(warnings).toEqual([])
})

it('is taken over at the next look where the notice was lost', async () => {
  const [first, second] = [await openReplica(), await openReplica()]
  await client.query(`insert into ships values (3, 'Calm')`)
  hour = 25
  await first.database.refresh()
  hour = 25.1
  second.database.refreshIfStale()
  await vi.waitFor(() => expect(shipsOf(second)).toBe(3), SOON)
  expect([first.measured, second.measured]).toEqual([2, 0])
})

it('is measured by one process, and by another if that one dies', async () => {
  const replica = await openReplica()
  await client.query(`insert into ships values (3, 'Calm')`)
  const [row] = await own.store.inTransaction(
    async tx => (await own.store.executeIn(tx, 'select key from querent.shared_indexes')).rows,
  )
  const other = await shared.lockBuild(String(row?.key))
  expect(other).not.toBeNull()
  hour = 25
  // Another one takes no turn, and is asked until it has been refused.
  const refused = vi.spyOn(shared, 'lockBuild')
  replica.database.refreshIfStale()
  await vi.waitFor(() => expect(refused).toHaveResolvedWith(null), SOON)
  expect([replica.measured, shipsOf(replica)]).toEqual([1, 2])
  // Killed: it does not release its lock, and nobody renews it (a live process does, hence the loop).
  await vi.waitFor(async () => {
    await turns(`update querent.index_turns set touched_at = now() - interval '61 seconds'`)
    hour += 0.1
    replica.database.refreshIfStale()
    expect(shipsOf(replica)).toBe(3)
  }, SOON)
  expect(replica.measured).toBe(2)
  await other?.()
})

it('is made by one of two replicas that start at once, if the other can wait', async () => {
  const waitsForOthers = (): boolean => true
  const replicas = await Promise.all([openReplica({ waitsForOthers }), openReplica({ waitsForOthers })])
  expect(replicas.reduce((sum, { measured }) => sum + measured, 0)).toBe(1)
  expect(replicas.map(shipsOf)).toEqual([2, 2])
})

it('is made by a replica that can no longer wait for another', async () => {
  // Another one holds the lock all the time.
  shared = { ...shared, lockBuild: async () => null }
  const answers = [true, false]
  const replica = await openReplica({ waitsForOthers: () => answers.shift() ?? false })
  expect(answers).toEqual([])
  expect([replica.measured, shipsOf(replica)]).toEqual([1, 2])
})

it('is no longer awaited once the signal fires', async () => {
  shared = { ...shared, lockBuild: async () => null }
  const stopping = new AbortController()
  const waitsForOthers = (): boolean => {
    stopping.abort()
    return true
  }
  await expect(openReplica({ waitsForOthers, signal: stopping.signal })).rejects.toThrow()
})

it('of other settings is not taken over, and goes when there is one with fewer columns open', async () => {
  const wide = await openReplica()
  const keptNow = async () => {
    const [row, ...more] = await own.store.inTransaction(
      async tx => (await own.store.executeIn(tx, 'select key from querent.shared_indexes')).rows,
    )
    expect(more).toEqual([])
    return unpackIndex((await shared.read(String(row?.key))) ?? Buffer.of())
  }
  const holdsBrisk = (kept: Awaited<ReturnType<typeof keptNow>>): boolean =>
    /brisk/i.test(Buffer.from(kept?.values.textBytes ?? []).toString('latin1'))
  expect(holdsBrisk(await keptNow())).toBe(true)
  const masked = { ...unrestrictedScope, columns: { exclude: [], mask: ['ships.name'] } }
  const narrow = await openReplica({ scope: masked })
  expect(narrow.measured).toBeGreaterThan(0)
  expect(narrow.database.database.findValues('brisk')).toEqual([])
  const kept = await keptNow()
  expect(kept?.catalog.tables[0]?.columns.map(({ masked = false }) => masked)).toEqual([false, true])
  expect(holdsBrisk(kept)).toBe(false)
  expect(wide.database.database.findValues('brisk')).not.toEqual([])
})

it('is measured by each for itself while the store is away, and said so', async () => {
  const away = (): Promise<never> => Promise.reject(new Error('the store is away'))
  shared = { savedAt: away, read: away, write: away, lockBuild: away }
  const replica = await openReplica()
  hour = 25
  await client.query(`insert into ships values (3, 'Calm')`)
  replica.database.refreshIfStale()
  await vi.waitFor(() => expect(shipsOf(replica)).toBe(3), SOON)
  expect(warnings[0]).toContain('cannot be reached')
})
