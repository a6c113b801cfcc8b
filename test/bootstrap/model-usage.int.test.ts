import { afterAll, beforeAll, expect, it } from 'vitest'
import { openApp } from '../helpers/open-app.ts'
import { makeSqliteFile } from '../helpers/sqlite-file.ts'
import { createTestDatabase } from '../helpers/test-database.ts'
import { startFaultyModel } from '../llm/faulty-model.ts'

const harbor = makeSqliteFile(`
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

it("a person's spending survives a restart", async () => {
  await using model = await startFaultyModel(['right'], () => 'SELECT count(*) AS boats FROM boats')
  const settings = {
    ...{ baseUrl: model.baseUrl, storeUrl: store.url, timeZone: 'UTC' },
    models: {
      drafter: { model: 'some-model', timeoutMs: 20_000 },
      prices: { 'some-model': { prompt: 10, completion: 100 } },
    },
    drafting: { mostDrafts: 1 },
    budget: { tokensPerUserPerDay: 110 },
  }
  {
    await using app = await openApp(harbor.file, settings)
    const { usage, questionId } = await app.ask('How many boats are there?', 'ada')
    expect(usage.modelCalls).toBeGreaterThan(0)
    const { store } = await app.resources.ownStore()
    const days = [new Date(Date.now() - 60_000), new Date()].map(day => day.toISOString().slice(0, 10))
    const rows = (await Promise.all([...new Set(days)].map(store.repositories.modelUsage.list))).flat()
    expect(new Set(rows.map(({ askedBy, model }) => `${askedBy} ${model}`))).toEqual(
      new Set(['ada some-model']),
    )
    expect(rows.reduce((calls, row) => calls + row.calls, 0)).toBe(usage.modelCalls)
    const spent = await store.repositories.modelUsage.spentFor(questionId)
    expect(spent.reduce((calls, role) => calls + role.calls, 0)).toBe(usage.modelCalls)
    expect(spent.reduce((money, role) => money + role.money, 0)).toBeCloseTo(usage.money ?? -1, 9)
    expect(rows.reduce((money, row) => money + (row.money ?? 0), 0)).toBeCloseTo(usage.money ?? -1, 9)
  }
  await using app = await openApp(harbor.file, settings)
  const [again, other] = [await app.ask('How many boats?', 'ada'), await app.ask('How many boats?', 'bob')]
  expect(again.usage.modelCalls).toBe(0)
  expect(again.outcome).toMatchObject({
    status: 'answered',
    assumptions: expect.arrayContaining(['No model helped with this: the model budget is used up.']),
  })
  expect(other.usage.modelCalls).toBeGreaterThan(0)
})
