import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LayerDecision } from '../../src/domain/metrics/layer-decision.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeStore, type Store } from '../../src/store/store.ts'
import { runCli } from '../helpers/cli/run-cli.ts'
import { createTestDatabase, type TestDatabase } from '../helpers/test-database.ts'
import { shopTables } from '../semantic-layer/shop.ts'

let folder: string

let database: TestDatabase

let store: Store

const json = async (...args: string[]) => {
  const { out } = await runCli([...args, '--json'], {
    folder,
    home: join(folder, 'home'),
    env: { DATABASE_URL: database.url, QUERENT_CONFIG: join(folder, 'querent.yml') },
  })
  return JSON.parse(out)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'querent-test-'))
  database = await createTestDatabase({ migrated: true })
  store = makeStore({ url: database.url, resultKey })
  const file = new DatabaseSync(join(folder, 'shop.sqlite'))
  file.exec(shopTables)
  file.close()
  writeFileSync(
    join(folder, 'querent.yml'),
    'defaultDatabase: shop\ndatabases:\n  shop:\n    path: shop.sqlite\n',
  )
})

afterAll(async () => {
  await store?.close()
  await database?.drop()
  rmSync(folder, { recursive: true })
})

const decide = (changes: Partial<LayerDecision>) =>
  store.repositories.layerDecisions.insert({
    ...{ id: crypto.randomUUID(), database: 'shop', kind: 'metric', name: 'revenue', status: 'accepted' },
    definition:
      'metrics: [{ name: revenue, model: order, label: Revenue, synonyms: [takings], agg: sum, expr: total_cents }]',
    ...{ tables: { order: 'orders' }, decidedBy: 'U1', decidedAt: new Date() },
    ...changes,
  })

const standingOf = async (name: string): Promise<string | undefined> =>
  (await json('semantic', 'list')).metrics.find((one: { name: string }) => one.name === name)?.status

describe('what admins decided in App Home', { timeout: 120_000 }, () => {
  it('counts in the shell too: an accepted metric is no assumption, a rejected one is not used', async () => {
    const before = await json('ask', 'what is our revenue?')
    expect(before).toMatchObject({ rows: [[29000]], assumptions: ['Revenue is the sum of order total.'] })
    expect(await standingOf('revenue')).toBe('proposed')
    await decide({})
    const accepted = await json('ask', 'what is our revenue?')
    expect(accepted).toMatchObject({ rows: [[29000]], assumptions: [] })
    expect(await json('ask', 'what are our takings?')).toMatchObject({ status: 'answered', rows: [[29000]] })
    expect(await standingOf('revenue')).toBe('accepted')
    await decide({ status: 'rejected' })
    expect(await standingOf('revenue')).toBeUndefined()
  })

  it('is taken back by one decision after the other', async () => {
    const rollBack = () => json('semantic', 'rollback', 'metric', 'revenue')
    expect(await rollBack()).toMatchObject({ kind: 'metric', name: 'revenue', status: 'accepted' })
    expect(await standingOf('revenue')).toBe('accepted')
    expect(await rollBack()).toMatchObject({ status: 'rejected' })
    expect(await standingOf('revenue')).toBeUndefined()
    const once = { kind: 'segment', name: 'big_orders', definition: 'segments: []' } as const
    await decide(once)
    expect(await json('semantic', 'rollback', 'segment', 'big_orders')).toMatchObject({ status: 'rejected' })
    const { layerDecisions } = store.repositories
    expect((await layerDecisions.listAll('shop')).length).toBeGreaterThanOrEqual(6)
    const unknown = await runCli(['semantic', 'rollback', 'metric', 'nothing'], {
      folder,
      home: join(folder, 'home'),
      env: { DATABASE_URL: database.url, QUERENT_CONFIG: join(folder, 'querent.yml') },
    })
    expect(unknown).toMatchObject({ status: 2, err: expect.stringContaining('No earlier decision') })
  })

  it('gives way to files, and an evaluation does not depend on it', async () => {
    await decide({})
    mkdirSync(join(folder, 'semantic'))
    writeFileSync(
      join(folder, 'semantic/shop.yml'),
      'semantic_models: [{ name: order, metrics: [{ name: revenue, agg: sum, expr: shipping_eur }] }]',
    )
    expect((await json('ask', 'what is our revenue?')).rows).toEqual([[13.5]])
    rmSync(join(folder, 'semantic'), { recursive: true })
    const line = { id: 'q', db_id: 'shop', question: 'what are our takings?', gold: 'select 29000' }
    writeFileSync(join(folder, 'questions.jsonl'), JSON.stringify(line))
    await json('eval', 'questions', '--questions', 'questions.jsonl', '--databases', 'sqlite:{db_id}.sqlite')
    expect((await json('ask', 'what are our takings?')).rows).toEqual([[29000]])
  })
})
