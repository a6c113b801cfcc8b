import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell, ResultTable } from '../../src/domain/result.ts'
import { resultKey } from '../../src/ranking/result-key.ts'

const tableOf = (rows: Cell[][], columns = rows[0]?.length ?? 0): ResultTable => ({
  columns: Array.from({ length: columns }, (_, i) => ({ name: `c${i}`, kind: 'unknown' as const })),
  rows,
  truncated: null,
  milliseconds: 0,
})

const keyOf = (rows: Cell[][], ordered = false) => resultKey(tableOf(rows), { ordered })

describe('results that are equal meet', () => {
  it('whatever the order of rows', () => {
    expect(
      keyOf([
        [1, 'a'],
        [2, 'b'],
      ]),
    ).toBe(
      keyOf([
        [2, 'b'],
        [1, 'a'],
      ]),
    )
  })

  it('whatever the order of columns', () => {
    expect(
      keyOf([
        [1, 'a'],
        [2, 'b'],
      ]),
    ).toBe(
      keyOf([
        ['a', 1],
        ['b', 2],
      ]),
    )
  })

  it('whichever way the same number is held', () => {
    expect(keyOf([[1]])).toBe(keyOf([[1n]]))
    expect(keyOf([[true]])).toBe(keyOf([[1]]))
    expect(keyOf([[0.1 + 0.2]])).toBe(keyOf([[0.3]]))
  })

  it('when one driver holds a decimal as text and another as a double', () => {
    const third = (cell: Cell): ResultTable => ({
      ...tableOf([[cell]]),
      columns: [{ name: 'x', kind: 'number' }],
    })
    expect(resultKey(third('3.3333333333333333'), { ordered: false })).toBe(
      resultKey(third(10 / 3), { ordered: false }),
    )
  })

  it('under any permutation of rows and columns', () => {
    const cell = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constant(null), fc.constantFrom('a', 'b'))
    const grid = fc
      .integer({ min: 1, max: 4 })
      .chain(width =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      )
    fc.assert(
      fc.property(grid, fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })), (rows, luck) => {
        const shuffled = <T>(items: readonly T[]): T[] =>
          items
            .map(item => [luck.next().value as number, item] as const)
            .sort((a, b) => a[0] - b[0])
            .map(pair => pair[1])
        const order = shuffled((rows[0] ?? []).map((_, i) => i))
        const permuted = shuffled(rows).map(row => order.map(i => row[i] ?? null))
        expect(keyOf(permuted)).toBe(keyOf(rows))
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})

describe('results that differ stay apart', () => {
  it('in how often a row stands there', () => {
    expect(keyOf([[1], [1]])).not.toBe(keyOf([[1]]))
  })

  it('in a number and a text of the same digits', () => {
    expect(keyOf([[1]])).not.toBe(keyOf([['1']]))
  })

  it('in which values stand in one row, though each column holds the same', () => {
    expect(
      keyOf([
        [1, 'a'],
        [2, 'b'],
      ]),
    ).not.toBe(
      keyOf([
        [1, 'b'],
        [2, 'a'],
      ]),
    )
  })

  it('in the number of columns of an empty result', () => {
    expect(resultKey(tableOf([], 1), { ordered: false })).not.toBe(
      resultKey(tableOf([], 2), { ordered: false }),
    )
  })

  it('in row order, once order was asked for', () => {
    expect(keyOf([[1], [2]], true)).not.toBe(keyOf([[2], [1]], true))
    expect(keyOf([[1], [2]], true)).toBe(keyOf([[1], [2]], true))
  })
})
