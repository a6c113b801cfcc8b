import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maintenanceRunContext } from '../../src/audit/run-contexts.ts'
import type { RunContext, StatementRecord } from '../../src/domain/operations/audit.ts'
import { openApp } from '../helpers/open-app.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

/** One app for all: its statements are told apart by the contexts they run in. */
const harbor = makeSqliteFile(`
  create table boats (id integer primary key, name text);
  insert into boats values (1, 'Alba'), (2, 'Brisa'), (3, 'Cala');
`)

/** Counts 3 to the power of 30 rows. */
const endless = `select count(*) from ${Array.from({ length: 30 }, (_, at) => `boats b${at}`).join(', ')}`

let store: Awaited<ReturnType<typeof createTestDatabase>>

let app: Awaited<ReturnType<typeof openApp>>

beforeAll(async () => {
  store = await createTestDatabase({ on: 'embedded', migrated: true })
  app = await openApp(harbor.file, {
    ...{ baseUrl: 'http://127.0.0.1:9', storeUrl: store.url },
    limits: { maxRows: 2, timeoutMs: 500 },
  })
})

afterAll(async () => {
  await app[Symbol.asyncDispose]()
  harbor.remove()
  await store.drop()
})

const contextOf = (person: string): RunContext => ({
  origin: 'edit',
  person,
  team: 'T1',
  channel: 'C1',
  questionId: `question of ${person}`,
  digestId: null,
})

const logOf = async (person: string | null): Promise<readonly StatementRecord[]> => {
  const { auditLog } = (await app.resources.ownStore()).store.repositories
  const all: StatementRecord[] = []
  for await (const record of auditLog.stream({}, { most: 2 })) all.push(record)
  return all.filter(record => record.person === person)
}

/** How a statement ended is written a moment later. */
const endedLog = async (person: string): Promise<readonly StatementRecord[]> =>
  expect
    .poll(() => logOf(person))
    .not.toContainEqual(expect.objectContaining({ verdict: 'started' }))
    .then(() => logOf(person))

const runAs = async (person: string, sql: string, signal?: AbortSignal): Promise<unknown> => {
  const database = await app.resources.openDatabase('asked')
  return app.resources.inRunContext(contextOf(person), async () => {
    const verdict = database.guard(sql)
    if (verdict.verdict === 'refuse') return verdict.reason
    return database.run(verdict.guarded, signal ? { signal } : {}).catch((error: unknown) => error)
  })
}

describe('the audit log', () => {
  it('has every statement of a question, with who asked, and those that measure apart from them', async () => {
    const { questionId } = await app.ask('How many boats are there?', 'ada')
    const log = await endedLog('ada')
    expect(log.length).toBeGreaterThan(0)
    for (const record of log)
      expect(record).toMatchObject({ questionId, origin: 'command', database: 'asked', dialect: 'sqlite' })
    expect(log).toContainEqual(
      expect.objectContaining({ kind: 'run', verdict: 'ran', rows: 1, sql: expect.stringMatching(/count/i) }),
    )
    const measuring = (await logOf(null)).filter(({ origin }) => origin === 'index')
    expect(new Set(measuring.map(({ kind }) => kind))).toEqual(new Set(['schema', 'run']))
    expect(measuring.every(({ questionId }) => questionId === null)).toBe(true)
  })

  it('tells how each ended', async () => {
    await runAs('ben', 'select name from boats')
    await runAs('ben', 'select id from boats where id < 3')
    await runAs('ben', 'select depth from boats')
    await runAs('ben', 'delete from boats')
    await runAs('ben', 'delete from boats')
    await runAs('ben', endless)
    await runAs('ben', endless, AbortSignal.timeout(100))
    const log = await endedLog('ben')
    const told = log.map(({ verdict, errorClass, rows }) => [verdict, errorClass, rows])
    // What is refused is written behind, so that its place is not certain.
    expect(told.filter(([verdict]) => verdict === 'refused')).toEqual([['refused', null, null]])
    expect(told.filter(([verdict]) => verdict !== 'refused')).toEqual([
      ['cut', null, 2],
      ['ran', null, 2],
      ['failed', 'unknown-column', null],
      ['timed-out', 'timeout', null],
      ['cancelled', 'cancelled', null],
    ])
    expect(log.find(({ verdict }) => verdict === 'refused')?.reason).toMatch(/delete/i)
    expect(log.find(({ verdict }) => verdict === 'cut')).toMatchObject({
      bytes: 9,
      channel: 'C1',
      team: 'T1',
    })
  })

  it('has a statement before it is over, and keeps it when the process dies in the middle', async () => {
    const stop = new AbortController()
    const running = runAs('cem', endless, stop.signal)
    await expect.poll(async () => (await logOf('cem')).map(({ verdict }) => verdict)).toEqual(['started'])
    stop.abort()
    await running
    expect((await endedLog('cem')).map(({ verdict }) => verdict)).toEqual(['cancelled'])
  })

  it('is read by time, person and database, and forgets what is old', async () => {
    const { auditLog } = (await app.resources.ownStore()).store.repositories
    const database = await app.resources.openDatabase('asked')
    await app.resources.inRunContext(maintenanceRunContext('command', 'dot'), async () => {
      database.guard('drop table boats')
    })
    await expect.poll(() => logOf('dot')).toHaveLength(1)
    const page = { after: null, most: 10 }
    expect(await auditLog.page({ person: 'dot', database: 'asked' }, page)).toHaveLength(1)
    expect(await auditLog.page({ person: 'dot', database: 'other' }, page)).toEqual([])
    expect(await auditLog.page({ person: 'dot', since: new Date(Date.now() + 60_000) }, page)).toEqual([])
    expect(await auditLog.page({ person: 'dot', until: new Date(Date.now() - 60_000) }, page)).toEqual([])
    const [old] = await logOf('dot')
    const before = new Date('2020-01-01T00:00:00Z')
    await auditLog.insert([{ ...old!, id: crypto.randomUUID(), at: new Date(before.getTime() - 1) }])
    await auditLog.insert([{ ...old!, id: crypto.randomUUID(), at: before }])
    expect(await auditLog.purgeBefore(before)).toBe(1)
    expect(await logOf('dot')).toHaveLength(2)
  })
})
