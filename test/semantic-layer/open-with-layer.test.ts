import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../src/databases/open-database.ts'
import type { Database } from '../../src/domain/database.ts'
import { noKnowledge } from '../../src/domain/knowledge.ts'
import type { LayerDecision, ListLayerDecisions } from '../../src/domain/metrics/layer-decision.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeSemanticLayers } from '../../src/semantic-layer/open-with-layer.ts'
import { openShop, term } from './shop.ts'

let shop: OpenDatabase
let folder: string
let changes = 0
let decisions: readonly LayerDecision[] = []

beforeAll(async () => {
  shop = await openShop()
})

afterAll(() => shop.close())

beforeEach(() => {
  decisions = []
  folder = mkdtempSync(join(tmpdir(), 'querent-layer-'))
  return () => rmSync(folder, { recursive: true, force: true })
})

const write = (text: string): void => {
  mkdirSync(join(folder, 'semantic'), { recursive: true })
  const path = join(folder, 'semantic/shop.yml')
  writeFileSync(path, text)
  changes += 1
  utimesSync(path, changes, changes)
}

const start = (listDecisions: ListLayerDecisions = async () => decisions) => {
  const clock = { at: 0 }
  const layers = makeSemanticLayers({
    folder: join(folder, 'semantic'),
    moreFiles: () => [],
    listDecisions,
    databases: ['shop'],
    today: () => '2026-11-20',
    timeZone: 'UTC',
    now: () => clock.at,
    log: silentLog,
  })
  const current = { database: shop.database as Database }
  return { clock, current, layers, open: layers.withLayers(async () => current.database) }
}

const firstMetric = ({ semanticLayer }: Database): string | undefined => semanticLayer?.metrics[0]?.name

const sums = (name: string): string =>
  `semantic_models: [{ name: order, metrics: [{ name: ${name}, agg: sum, expr: total_cents }] }]`

describe('a database with a semantic layer', () => {
  it('has none of its own without files and terms', async () => {
    const { open } = start()
    expect(await open('shop')).toBe(shop.database)
  })

  it('is the same object while nothing changes, and another one after a file changed', async () => {
    write(sums('first'))
    const { open, clock } = start()
    const database = await open('shop')
    expect(firstMetric(database)).toBe('first')
    expect(database.catalog).toBe(shop.database.catalog)
    clock.at = 6_000
    expect(await open('shop')).toBe(database)
    write(sums('second'))
    expect(await open('shop')).toBe(database)
    clock.at = 12_000
    expect(firstMetric(await open('shop'))).toBe('second')
  })

  it('gets what admins decided within seconds, or at once where they did', async () => {
    const { open, layers, clock } = start()
    const accepted: LayerDecision = {
      ...{ id: '1', database: 'shop', kind: 'metric', name: 'revenue', status: 'accepted' },
      definition: 'metrics: [{ name: revenue, model: order, agg: sum, expr: total_cents }]',
      ...{ tables: { order: 'orders' }, decidedBy: 'U1', decidedAt: new Date(0) },
    }
    expect(await open('shop')).toBe(shop.database)
    decisions = [accepted]
    expect(await open('shop')).toBe(shop.database)
    layers.invalidate('farm')
    expect(await open('shop')).toBe(shop.database)
    layers.invalidate('shop')
    const decided = await open('shop')
    expect(decided.semanticLayer?.metrics[0]).toMatchObject({ name: 'revenue', status: 'accepted' })
    expect(await open('shop')).toBe(decided)
    decisions = [{ ...accepted, id: '2', status: 'rejected' }]
    clock.at = 6_000
    expect((await open('shop')).semanticLayer?.metrics.map(({ name }) => name)).not.toContain('revenue')
  })

  it('is answered without decisions that cannot be read', async () => {
    write(sums('first'))
    const { layers } = start(async () => {
      throw new Error('the store is away')
    })
    expect((await layers.read('shop', shop.database))?.layer.metrics[0]?.name).toBe('first')
  })

  it('gets a layer for each catalog, and for terms that were added after it was opened', async () => {
    write(sums('first'))
    const { open, current, layers } = start()
    const database = await open('shop')
    // A layer that was added already is not made again.
    expect(await layers.withLayers(async () => database)('shop')).toBe(database)
    const taught = {
      ...database,
      knowledge: { ...noKnowledge, terms: [term('buyers', 'count(DISTINCT orders.customer_id)')] },
    }
    const layered = await layers.withLayers(async () => taught)('shop')
    expect(layered.semanticLayer?.metrics.slice(0, 2).map(({ name }) => name)).toEqual(['first', 'buyers'])
    current.database = { ...shop.database, catalog: { ...shop.database.catalog } }
    expect(await open('shop')).not.toBe(database)
  })

  it('reports a file about a database that is not there', async () => {
    write('database: shpo\nexclude: []')
    const { layers } = start()
    const built = await layers.read('shop', shop.database)
    expect(built?.problems).toEqual([
      {
        at: { file: 'semantic/shop.yml', line: 1 },
        message: 'querent.yml has no database shpo; did you mean shop?',
      },
    ])
  })
})
