import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunContext } from '../../src/domain/operations/audit.ts'
import { openApp } from '../helpers/open-app.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

const harbor = makeSqliteFile(`
  create table boats (id integer primary key, name text);
  insert into boats values (1, 'Alba'), (2, 'Brisa'), (3, 'Cala');
`)

let store: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  store = await createTestDatabase({ on: 'embedded', migrated: true })
})

afterAll(async () => {
  harbor.remove()
  await store.drop()
})

const open = (budget: Readonly<Record<string, number>>) =>
  openApp(harbor.file, { baseUrl: 'http://127.0.0.1:9', storeUrl: store.url, timeZone: 'UTC', budget })

type App = Awaited<ReturnType<typeof open>>

const read = async (app: App, given: Partial<RunContext>): Promise<number | string> => {
  const database = await app.resources.openDatabase('asked')
  const context: RunContext = {
    ...{ origin: 'edit', person: null, team: 'T1', channel: null, questionId: null, digestId: null },
    ...given,
  }
  const verdict = database.guard('select name from boats')
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  const { guarded } = verdict
  return app.resources.inRunContext(context, () =>
    database.run(guarded).then(
      ({ rows }) => rows.length,
      (error: { readonly errorClass: string; readonly message: string }) =>
        `${error.errorClass}: ${error.message}`,
    ),
  )
}

const today = (): string => new Date().toISOString().slice(0, 10)

const ledgerOf = async (app: App) => (await app.resources.ownStore()).store.usageLedger

it("a person's usage of the day survives a restart", async () => {
  {
    await using app = await open({ rowsPerUserPerDay: 3 })
    expect(await read(app, { person: 'ada' })).toBe(3)
  }
  await using app = await open({ rowsPerUserPerDay: 3 })
  expect(await read(app, { person: 'ada' })).toMatch(
    /^over-budget: The limit is reached: 3 of 3 rows were read for you today\. It resets in (\d+ h )?\d+ min, at midnight \(UTC\)\. \(budget\.rowsPerUserPerDay\)$/,
  )
  expect(await read(app, { person: 'bob' })).toBe(3)
  // Nobody asked for what keeps things true. What somebody saves as verified, somebody asks for.
  expect(await read(app, { origin: 'verified' })).toBe(3)
  expect(await read(app, { person: 'ada', origin: 'verified', questionId: 'q' })).toContain('over-budget')
  const { outcome, usage } = await app.ask('How many boats are there?', 'ada')
  expect(outcome).toMatchObject({
    status: 'refused',
    why: { code: 'over-budget', message: expect.stringContaining('rowsPerUserPerDay') },
  })
  expect(usage.modelCalls).toBe(0)
  const { auditLog } = (await app.resources.ownStore()).store.repositories
  await expect
    .poll(async () => auditLog.page({ person: 'ada' }, { after: null, most: 20 }))
    .toContainEqual(expect.objectContaining({ verdict: 'refused', errorClass: 'over-budget' }))
})

it('a channel and a question have limits of their own', async () => {
  await using app = await open({ rowsPerChannelPerDay: 3, rowsPerQuestion: 3 })
  expect(await read(app, { channel: 'C1' })).toBe(3)
  expect(await read(app, { channel: 'C1' })).toContain('for this channel today')
  expect(await read(app, { channel: 'C2', questionId: 'q1' })).toBe(3)
  expect(await read(app, { channel: 'C3', questionId: 'q1' })).toContain('for this question')
  expect(await read(app, { channel: 'C3', questionId: 'q2' })).toBe(3)
})

it('seconds and the total have limits of their own', async () => {
  await using app = await open({ secondsPerDay: 5 })
  const ledger = await ledgerOf(app)
  const nobody = { day: today(), person: null, channel: null, questionId: null }
  const rows = async (): Promise<number> => (await ledger.usageOf(nobody)).ofAll.used.rows
  const before = await rows()
  expect(await read(app, {})).toBe(3)
  // What nobody asked for is on no account, not even on that of everybody.
  await expect.poll(rows).toBe(before + 3)
  expect(await read(app, { origin: 'verified' })).toBe(3)
  expect(await read(app, {})).toBe(3)
  await expect.poll(rows).toBe(before + 6)
  await ledger.settle([{ id: null, ...nobody, rows: 0, milliseconds: 5_000 }])
  expect(await read(app, {})).toMatch(/queries used \d s of 5 s for everyone today/)
})
