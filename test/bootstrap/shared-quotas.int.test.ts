import { afterAll, beforeAll, expect, it } from 'vitest'
import { maintenanceRunContext } from '../../src/audit/run-contexts.ts'
import { SqlError } from '../../src/domain/errors.ts'
import { openApp } from '../helpers/open-app.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

const harbor = makeSqliteFile(`
  create table boats (id integer primary key, name text);
  insert into boats values (1, 'Alba'), (2, 'Brisa'), (3, 'Cala'), (4, 'Dora'), (5, 'Estrela'), (6, 'Foz'), (7, 'Gaia');
`)

let store: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  store = await createTestDatabase({ on: 'embedded', migrated: true })
})

afterAll(async () => {
  harbor.remove()
  await store.drop()
})

const open = (given: Readonly<Record<string, unknown>>) =>
  openApp(harbor.file, { baseUrl: 'http://127.0.0.1:9', storeUrl: store.url, timeZone: 'UTC', ...given })

type App = Awaited<ReturnType<typeof open>>

/** The rows that came of a statement, or why none did. */
const run = async (app: App, person: string, sql: string): Promise<number | string> => {
  const database = await app.resources.openDatabase('asked')
  const verdict = database.guard(sql)
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  const { guarded } = verdict
  return app.resources.inRunContext({ ...maintenanceRunContext('command', person) }, () =>
    database.run(guarded).then(
      ({ rows }) => rows.length,
      (error: unknown) => {
        if (error instanceof SqlError && error.errorClass === 'over-budget') return error.message
        throw error
      },
    ),
  )
}

const bookedOn = async (app: App, person: string) => {
  const { usageLedger: readingLedger } = (await app.resources.ownStore()).store
  const day = new Date().toISOString().slice(0, 10)
  return (await readingLedger.usageOf({ day, person, channel: null, questionId: null })).ofPerson
}

it('fifty concurrent statements in two processes read exactly what a limit leaves', async () => {
  const settings = { budget: { rowsPerUserPerDay: 100 }, limits: { maxRows: 10 } }
  await using first = await open(settings)
  await using second = await open(settings)
  const all = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      run(at % 2 === 0 ? first : second, 'ada', 'select name from boats order by id'),
    ),
  )
  const read = all.filter(one => typeof one === 'number')
  expect(read.reduce((sum, rows) => sum + rows, 0)).toBe(100)
  const refused = all.filter(one => typeof one === 'string')
  expect(refused.length).toBeGreaterThan(0)
  for (const reason of refused) expect(reason).toContain('100 of 100 rows were read for you today')
  expect(await bookedOn(first, 'ada')).toMatchObject({ used: { rows: 100 }, reserved: { rows: 0 } })
})

it('several that would run for ever run together for as long as there is', async () => {
  const endless = `select count(*) from ${Array.from({ length: 30 }, (_, at) => `boats b${at}`).join(', ')}`
  const settings = { budget: { secondsPerUserPerDay: 1 } }
  await using first = await open(settings)
  await using second = await open(settings)
  const all = await Promise.all([first, second, first, second].map(app => run(app, 'bob', endless)))
  expect(
    all.filter(reason => String(reason).includes('the query was stopped after 1 s, the last')),
  ).toHaveLength(1)
  expect(all.filter(reason => String(reason).includes('queries used 1 s'))).toHaveLength(3)
  expect(await bookedOn(first, 'bob')).toMatchObject({
    used: { milliseconds: 1_000 },
    reserved: { milliseconds: 0 },
  })
})
