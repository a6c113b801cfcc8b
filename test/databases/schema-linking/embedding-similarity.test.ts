import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeEmbeddingBonus } from '../../../src/databases/schema-linking/embedding-similarity.ts'
import { makeLinkSchema } from '../../../src/databases/schema-linking/link-schema.ts'
import type { Embedder } from '../../../src/domain/model.ts'
import { type Log, silentLog } from '../../../src/domain/operations/telemetry.ts'
import { catalogOf } from './catalog-of.ts'

const catalog = catalogOf({
  vessels: 'vessel_id hull_material keel_length mast_count flag_state tonnage',
  voyages: 'voyage_id vessel_id departed arrived cargo_mass fuel_burned',
  crews: 'crew_id vessel_id full_name monthly_pay rank joined',
})

/** Knows two senses: what people earn, and everything else. Remembers what it was asked. */
const embedderOf = (fails: () => boolean = () => false) => {
  const asked: string[][] = []
  const embedder: Embedder = {
    model: 'two-senses',
    embed: async texts => {
      asked.push([...texts])
      if (fails()) throw new Error('the endpoint is away')
      return texts.map(text => Float32Array.of(/monthly_pay|remunerated/.test(text) ? 1 : 0.02, 0.5))
    },
  }
  return { embedder, asked }
}

const text = 'Who is best remunerated?'

const at = catalog.tables.flatMap(table => table.columns).findIndex(({ name }) => name === 'monthly_pay')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vectors-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

describe('nearness in sense', () => {
  it('raises the columns that stand out, and no others', async () => {
    const odds = await makeEmbeddingBonus(embedderOf())(text, catalog)
    expect(odds?.[at]).toBeGreaterThan(1)
    expect(odds?.filter((_, column) => column !== at).every(one => one === 0)).toBe(true)
  })

  it('lets linking keep a column that no word points to', async () => {
    const understanding = { kind: 'data', text, spans: [], today: '2026-11-20', timeZone: 'UTC' } as const
    const place = async (nearInSense?: ReturnType<typeof makeEmbeddingBonus>): Promise<number> => {
      const link = makeLinkSchema(nearInSense ? { nearInSense } : {})
      for (let columns = 1; ; columns++) {
        const { tables } = await link({ understanding, catalog, matches: [], columns })
        const keep = tables.find(({ table }) => table === 'crews')?.keep
        if (keep === 'all' || keep?.includes('monthly_pay')) return columns
      }
    }
    expect(await place(makeEmbeddingBonus(embedderOf()))).toBeLessThan(await place())
  })

  it('embeds the columns once, and reads them from the folder in the next process', async () => {
    const { embedder, asked } = embedderOf()
    const near = makeEmbeddingBonus({ embedder, folder })
    const first = await near(text, catalog)
    await near(text, catalog)
    expect(asked.map(texts => texts.length)).toEqual([18, 1, 1])
    expect(readdirSync(folder)).toHaveLength(1)

    const later = embedderOf()
    const again = await makeEmbeddingBonus({ embedder: later.embedder, folder })(text, { ...catalog })
    expect(later.asked).toEqual([[text]])
    expect(again).toEqual(first)
  })

  it('embeds again for another model or another description', async () => {
    await makeEmbeddingBonus({ ...embedderOf(), folder })(text, catalog)
    const other = embedderOf()
    await makeEmbeddingBonus({ embedder: { ...other.embedder, model: 'other' }, folder })(text, {
      ...catalog,
    })
    const tables = catalog.tables.map(table => ({ ...table, comment: 'described since' }))
    await makeEmbeddingBonus({ ...other, folder })(text, { ...catalog, tables })
    expect(other.asked.map(texts => texts.length)).toEqual([18, 1, 18, 1])
  })

  it('does without for a minute when the endpoint fails, says so once, and tries again', async () => {
    let isAway = true
    let clock = 0
    const warnings: string[] = []
    const log: Log = { ...silentLog, warn: (_, message) => void warnings.push(message) }
    const { embedder, asked } = embedderOf(() => isAway)
    const near = makeEmbeddingBonus({ embedder, log, now: () => clock })
    expect(await near(text, catalog)).toBeNull()
    expect(await near(text, catalog)).toBeNull()
    expect(asked).toHaveLength(1)
    expect(warnings).toEqual([expect.stringContaining('by words alone')])
    isAway = false
    clock += 60_001
    expect(await near(text, catalog)).not.toBeNull()
  })

  it('goes on without what cannot be kept, and stops when told to', async () => {
    const odds = await makeEmbeddingBonus({ ...embedderOf(), folder: '/dev/null/nowhere' })(text, catalog)
    expect(odds).not.toBeNull()
    const near = makeEmbeddingBonus({
      embedder: { model: 'slow', embed: () => new Promise(() => {}) },
    })
    const stop = new AbortController()
    const linking = near(text, catalog, stop.signal)
    stop.abort(new Error('stopped'))
    await expect(linking).rejects.toThrow('stopped')
  })
})
