import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell, ResultTable } from '../../../src/domain/result.ts'
import { sketchResult } from '../../../src/ranking/features/observe-candidate.ts'

const tableOf = (rows: readonly (readonly Cell[])[], width = rows[0]?.length ?? 0): ResultTable => ({
  columns: Array.from({ length: width }, (_, at) => ({ name: `c${at}`, kind: 'unknown' })),
  rows,
  truncated: null,
  milliseconds: 1,
})

const cell = fc.oneof(fc.constant(null), fc.integer({ min: -3, max: 3 }), fc.constantFrom('a', 'b', '', '1'))

/** Rows of one width, and an order of their columns and of themselves. */
const tables = fc.integer({ min: 1, max: 4 }).chain(width =>
  fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 60 }).chain(rows =>
    fc.record({
      width: fc.constant(width),
      rows: fc.constant(rows),
      shuffled: fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
      columns: fc.shuffledSubarray(
        Array.from({ length: width }, (_, at) => at),
        { minLength: width, maxLength: width },
      ),
    }),
  ),
)

describe('the sketch of a result', () => {
  it('is the same for any order of rows and columns', () => {
    fc.assert(
      fc.property(tables, ({ width, rows, shuffled, columns }) => {
        const turned = shuffled.map(row => columns.map(at => row[at]!))
        expect(sketchResult(tableOf(turned, width))).toEqual(sketchResult(tableOf(rows, width)))
      }),
    )
  })

  it('is bounded, and counts what it sees', () => {
    fc.assert(
      fc.property(tables, ({ width, rows }) => {
        const { sketch, distinctRows, nullShare } = sketchResult(tableOf(rows, width))
        expect(sketch.rows.length).toBeLessThanOrEqual(32)
        expect(sketch.cells.length).toBeLessThanOrEqual(32)
        expect(sketch.columns).toHaveLength(width)
        expect(distinctRows).toBe(new Set(rows.map(row => JSON.stringify(row))).size)
        expect(nullShare).toBeGreaterThanOrEqual(0)
        expect(nullShare).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('of a long result keeps the smallest hashes, so that parts of it are still known', () => {
    const rows = Array.from({ length: 5_000 }, (_, at) => [at])
    const whole = sketchResult(tableOf(rows))
    expect(whole.sketch.rows).toHaveLength(32)
    expect(whole.distinctRows).toBe(5_000)
    // What is among the smallest of all is among the smallest of a part that holds it.
    const part = sketchResult(tableOf(rows.slice(0, 1_000)))
    const ofPart = whole.sketch.cells.filter(hash => part.sketch.cells.includes(hash))
    expect(ofPart.length).toBeGreaterThan(0)
    expect([...whole.sketch.rows]).toEqual([...whole.sketch.rows].sort())
  })

  it('takes equal values of other types for the same, and other results for others', () => {
    expect(sketchResult(tableOf([[1], [true]]))).toEqual(sketchResult(tableOf([[1n], [1]])))
    expect(sketchResult(tableOf([['1']])).sketch.rows).not.toEqual(sketchResult(tableOf([[1]])).sketch.rows)
  })
})
