import { describe, expect, it } from 'vitest'
import {
  allocateValueQuota,
  bytesOfValue,
  estimateDistinctValues,
  type IndexedColumnChoice,
} from '../../../src/databases/value-index/indexed-columns.ts'
import type { ColumnProfile } from '../../../src/domain/catalog.ts'

const column = (
  name: string,
  distinctCount: number,
  more: Partial<ColumnProfile> & { rowCount?: number } = {},
): IndexedColumnChoice => {
  const { rowCount = distinctCount, ...profile } = more
  return {
    table: {
      schema: null,
      name: 't',
      type: 'table',
      comment: null,
      rowCount,
      primaryKey: [],
      columns: [],
    },
    column: {
      name,
      type: 'TEXT',
      kind: 'text',
      nullable: true,
      comment: null,
      profile: {
        nullShare: 0,
        distinctCount,
        min: null,
        max: null,
        mostFrequent: [],
        meanLength: 10,
        rowsRead: rowCount,
        ...profile,
      },
    },
  }
}

const places = (columns: readonly IndexedColumnChoice[], bytes = 1e9) =>
  columns.map(one => allocateValueQuota(columns, bytes).get(one))

const value = bytesOfValue(10)

describe('the places of the value index', () => {
  it('are enough for everybody in a small database', () => {
    const codes = column('code', 700, { numericText: true })
    expect(places([column('name', 900), codes])).toEqual([50_000, 50_000])
  })

  it('serve columns with few values whole, and let those with many give way', () => {
    const [few, some, many] = places(
      [column('a', 10), column('b', 1000), column('c', 40_000)],
      5010 * value,
    ) as [number, number, number]
    expect(few).toBeGreaterThanOrEqual(10)
    expect(some).toBeGreaterThanOrEqual(1000)
    expect(many).toBe(4000)
  })

  it('are fewer for codes once they are scarce', () => {
    const format = { pattern: 'AA-9999', share: 1 }
    expect(places([column('name', 9000), column('sku', 9000, { format })], 5000 * value)).toEqual([
      4000, 1000,
    ])
  })

  it('are none where not a value of each fits', () => {
    const columns = Array.from({ length: 10 }, (_, n) => column(`c${n}`, 5))
    expect(new Set(places(columns, 5 * value))).toEqual(new Set([0]))
  })

  it('are counted by how many values there are likely to be behind a sample', () => {
    expect(estimateDistinctValues(column('names', 900, { rowsRead: 1000, rowCount: 100_000 }))).toBe(90_000)
    expect(estimateDistinctValues(column('states', 50, { rowsRead: 1000, rowCount: 100_000 }))).toBe(50)
    expect(estimateDistinctValues(column('all', 900, { rowsRead: 1000, rowCount: 1000 }))).toBe(900)
  })
})
