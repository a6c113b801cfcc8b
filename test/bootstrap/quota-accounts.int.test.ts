import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunContext } from '../../src/domain/operations/audit.ts'
import { openApp } from '../helpers/open-app.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { startFaultyModel } from '../llm/faulty-model.ts'

/** A rerun counts for the person who clicks, in rows and in tokens, not for the person who asked. */

const harbor = makeSqliteFile(`
  create table landings (id integer primary key, fish text);
  insert into landings
    with recursive n(i) as (select 1 union all select i + 1 from n where i < 3000) select i, 'cod' from n;
  create table boats (id integer primary key, name text);
  insert into boats values (1, 'Alba'), (2, 'Brisa');
`)

let store: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  store = await createTestDatabase({ on: 'embedded', migrated: true })
})

afterAll(async () => {
  harbor.remove()
  await store.drop()
})

const open = (given: Readonly<Record<string, unknown>> = {}) =>
  openApp(harbor.file, { baseUrl: 'http://127.0.0.1:9', storeUrl: store.url, timeZone: 'UTC', ...given })

type App = Awaited<ReturnType<typeof open>>

const repositoriesOf = async (app: App) => (await app.resources.ownStore()).store.repositories

/** On whose account what of a question was sent; all of it is written down before it is. */
const accountsOf = async (app: App, questionId: string) => {
  const entries = await (await repositoriesOf(app)).auditLog.page({}, { after: null, most: 1_000 })
  return entries
    .filter(entry => entry.questionId === questionId && entry.kind === 'run' && entry.verdict !== 'refused')
    .map(({ person }) => person)
}

it('a rerun counts for the person who clicked, models included', async () => {
  await using model = await startFaultyModel(['right'], () => 'SELECT count(*) AS boats FROM boats')
  await using app = await open({
    baseUrl: model.baseUrl,
    models: { drafter: { model: 'some-model', timeoutMs: 20_000 } },
    drafting: { mostDrafts: 1 },
  })
  const { outcome, usage, questionId } = await app.ask('How many boats are there?', 'ada', { runBy: 'bob' })
  expect(outcome.status).toBe('answered')
  expect(usage.modelCalls).toBeGreaterThan(0)
  expect(new Set(await accountsOf(app, questionId))).toEqual(new Set(['bob']))
  const days = [new Date(Date.now() - 60_000), new Date()].map(day => day.toISOString().slice(0, 10))
  const { modelUsage } = await repositoriesOf(app)
  const booked = (await Promise.all([...new Set(days)].map(day => modelUsage.list(day)))).flat()
  expect(new Set(booked.map(({ askedBy }) => askedBy))).toEqual(new Set(['bob']))
})

it("only a person's own usage is a reason to refuse", async () => {
  await using app = await open({ budget: { rowsPerUserPerDay: 2 } })
  const context: RunContext = {
    ...{ origin: 'edit', person: 'cleo', team: null, channel: null, questionId: null, digestId: null },
  }
  const database = await app.resources.openDatabase('asked')
  const verdict = database.guard('select name from boats')
  if (verdict.verdict === 'refuse') throw new Error(verdict.reason)
  await app.resources.inRunContext(context, () => database.run(verdict.guarded))
  const isSpent = (): Promise<boolean> =>
    app.resources.checkQuota(context).then(
      () => false,
      () => true,
    )
  await expect.poll(isSpent).toBe(true)

  const asked = 'How many boats are there?'
  const pressedByAnother = await app.ask(asked, 'cleo', { runBy: 'dora' })
  expect(pressedByAnother.outcome.status).toBe('answered')
  const pressed = await app.ask(asked, 'dora', { runBy: 'cleo' })
  expect(pressed.outcome).toMatchObject({
    status: 'refused',
    why: { code: 'over-budget', message: expect.stringContaining('rowsPerUserPerDay') },
  })
})

it('an expensive query counts for the person who confirms it', async () => {
  await using app = await open({ limits: { heavyRows: 2000 } })
  const report = await app.ask('How many landings are there?', 'ada', { runBy: 'bob' })
  const { questionId, outcome } = report
  expect(outcome.status).toBe('needs-clarification')
  expect(await accountsOf(app, questionId)).toEqual([])
  const { store: own } = await app.resources.ownStore()
  expect(await own.questionLog.storeReport(report)).toBe(true)
  const run = { kind: 'option', number: 1 } as const
  expect(await own.repositories.replies.insert(questionId, run, 'ada')).toBe(true)
  expect((await app.resume(questionId, run)).outcome.status).toBe('answered')
  expect(new Set(await accountsOf(app, questionId))).toEqual(new Set(['ada']))
})
