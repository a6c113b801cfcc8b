import { describe, expect, it } from 'vitest'
import { buildValueIndex, type ColumnValues } from '../../../src/databases/value-index/build-value-index.ts'
import { indexValues, refreshValues } from '../../../src/databases/value-index/index-values.ts'

const many: readonly ColumnValues[] = [
  {
    table: 'parts',
    column: 'name',
    values: Array.from({ length: 70_000 }, (_, n) => `Teil ä${n.toString(36)} ${(n * 7919).toString(36)}`),
  },
  { table: 'parts', column: 'colour', values: ['rot', 'grün', 'blau'] },
]

describe('indexing in a thread of its own', { timeout: 60_000 }, () => {
  it('builds what is built here, and tells how far it is', async () => {
    const shares: number[] = []
    const index = await indexValues(many, { onProgress: share => shares.push(share) })
    const here = buildValueIndex(many)
    expect(index.size).toBe(here.size)
    expect(index.bytes).toBe(here.bytes)
    expect(Buffer.compare(index.data.textBytes, here.data.textBytes)).toBe(0)
    for (const keyword of ['grun', many[0]!.values[69_999]!, 'teil a12 zz'])
      expect(index.find(keyword)).toEqual(here.find(keyword))
    expect(shares.length).toBeGreaterThan(1)
    expect(shares.at(-1)).toBe(1)
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
  })

  it('gives up when it is told to', async () => {
    const stopping = new AbortController()
    const reason = new Error('enough')
    const building = indexValues(many, { signal: stopping.signal })
    stopping.abort(reason)
    await expect(building).rejects.toBe(reason)
    await expect(indexValues(many, { signal: stopping.signal })).rejects.toBe(reason)
  })

  it('gives up while the thread is at work', async () => {
    const stopping = new AbortController()
    const reason = new Error('enough')
    const building = indexValues(many, {
      signal: stopping.signal,
      onProgress: () => stopping.abort(reason),
    })
    await expect(building).rejects.toBe(reason)
  })

  it('brings a large index up to date, and leaves the old one as it is', async () => {
    const old = buildValueIndex(many)
    const changed = [{ table: 'parts', column: 'colour', values: ['rot', 'violett'] }]
    const index = await refreshValues(old, { keeps: () => true, changed })
    expect(index.size).toBe(70_002)
    expect(index.find('violett')[0]).toMatchObject({ column: 'colour', score: 1 })
    expect(index.find('blau').filter(({ score }) => score === 1)).toEqual([])
    expect(index.find(many[0]!.values[7]!)).toEqual(old.find(many[0]!.values[7]!))
    expect(old.find('blau')[0]).toMatchObject({ column: 'colour', score: 1 })
    const without = await refreshValues(index, { keeps: ({ column }) => column === 'name', changed: [] })
    expect(without.size).toBe(70_000)
  })

  it('takes few values at once', async () => {
    const index = await indexValues([many[1]!])
    expect(index.find('grün')[0]).toMatchObject({ column: 'colour', score: 1 })
  })
})
