import { describe, expect, it } from 'vitest'
import { widenSchema } from '../../../src/databases/schema-linking/link-schema.ts'
import type { LinkedSchema } from '../../../src/domain/question-context.ts'
import { catalogOf } from './catalog-of.ts'

const catalog = catalogOf(
  {
    boats: 'id name length',
    rentals: 'id boat_id skipper_id paid',
    skippers: 'id name licence',
    harbors: 'id name berths',
  },
  ['rentals.boat_id > boats.id', 'rentals.skipper_id > skippers.id'],
)

const linked: LinkedSchema = { tables: [{ table: 'boats', keep: ['name'] }] }

const widen = (table: string | null, column: string | null, from = linked) =>
  widenSchema({ catalog, linked: from, wanted: [{ table, column }] })

describe('widenSchema', () => {
  it('brings back a dropped column of a kept table', () => {
    expect(widen('boats', 'length').tables).toEqual([{ table: 'boats', keep: ['name', 'length'] }])
    expect(widen(null, 'LENGTH').tables).toEqual([{ table: 'boats', keep: ['name', 'length'] }])
  })

  it('brings back a dropped table whole, and what joins it to what was kept', () => {
    expect(widen('skippers', null).tables).toEqual([
      { table: 'boats', keep: ['id', 'name'] },
      { table: 'rentals', keep: ['boat_id', 'skipper_id'] },
      { table: 'skippers', keep: 'all' },
    ])
  })

  it('finds the table of a column that none of the kept ones has', () => {
    expect(widen(null, 'licence').tables).toContainEqual({ table: 'skippers', keep: ['id', 'licence'] })
    expect(widen(null, 'berths').tables).toEqual([
      { table: 'boats', keep: ['name'] },
      { table: 'harbors', keep: ['berths'] },
    ])
  })

  it('gives the same object where nothing dropped is meant, so twice is once', () => {
    expect(widen('boats', 'name')).toBe(linked)
    expect(widen('yachts', null)).toBe(linked)
    const wider = widen('skippers', null)
    expect(widen('skippers', null, wider)).toBe(wider)
  })
})
