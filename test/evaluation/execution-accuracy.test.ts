import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell } from '../../src/domain/result.ts'
import { sameRows, sameRowsAnyColumnOrder } from '../../src/evaluation/execution-accuracy.ts'
import { makeTable } from './make-table.ts'

type Rows = readonly (readonly Cell[])[]

describe('sameRows', () => {
  it.each<[string, Rows, Rows, boolean]>([
    ['equal', [[1, 'a']], [[1, 'a']], true],
    ['row order is free', [[1], [2]], [[2], [1]], true],
    ['duplicates do not count', [[1], [1], [2]], [[1], [2], [2], [2]], true],
    ['column order counts', [[1, 'a']], [['a', 1]], false],
    ['an extra column is wrong', [[1, 'a']], [[1]], false],
    ['a missing row is wrong', [[1], [2]], [[1]], false],
    ['an extra row is wrong', [[1]], [[1], [2]], false],
    ['as many rows, but others', [[1], [2]], [[1], [3]], false],
    ['1 equals 1.0, 1n and true', [[1], [2]], [[true], [2n]], true],
    ['text is not a number', [['1']], [[1]], false],
    ['NULL equals NULL', [[null, 1]], [[null, 1]], true],
    ['NULL is not 0 or empty text', [[null]], [[0]], false],
    ['cells do not run into each other', [['a,b', 'c']], [['a', 'b,c']], false],
    ['one of them empty', [], [[1]], false],
  ])('%s', (_, a, b, expected) => {
    expect(sameRows(makeTable(a), makeTable(b))).toBe(expected)
    expect(sameRows(makeTable(b), makeTable(a))).toBe(expected)
  })

  it('two empty results are equal, whatever their columns', () => {
    expect(sameRows(makeTable([], { width: 1 }), makeTable([], { width: 3 }))).toBe(true)
  })

  it('decimals that came as text are numbers', () => {
    const decimal = makeTable([['1.50']], { kinds: ['number'] })
    expect(sameRows(decimal, makeTable([[1.5]], { kinds: ['number'] }))).toBe(true)
    expect(sameRows(decimal, makeTable([['1.50']], { kinds: ['text'] }))).toBe(false)
  })

  it('agrees with sets of rows', () => {
    fc.assert(
      fc.property(rowsOf(2), rowsOf(2), (a, b) => {
        const set = (rows: Rows) => [...new Set(rows.map(row => JSON.stringify(row)))].sort().join()
        expect(sameRows(makeTable(a), makeTable(b))).toBe(set(a) === set(b))
      }),
    )
  })
})

describe('sameRowsAnyColumnOrder', () => {
  it.each<[string, Rows, Rows, boolean]>([
    ['the same order', [[1, 'a']], [[1, 'a']], true],
    ['another order', [[1, 'a']], [['a', 1]], true],
    ['an extra column is wrong', [[1, 'a']], [['a', 1, 2]], false],
    [
      'duplicates do not count',
      [
        [1, 'a'],
        [1, 'a'],
      ],
      [['a', 1]],
      true,
    ],
    [
      'the same order for every row',
      [
        [1, 2],
        [3, 4],
      ],
      [
        [2, 1],
        [3, 4],
      ],
      false,
    ],
    [
      'columns alike in values, paired alike',
      [
        [1, 2],
        [2, 1],
      ],
      [
        [2, 1],
        [1, 2],
      ],
      true,
    ],
    [
      'columns alike in values, paired otherwise',
      [
        [1, 1, 7],
        [2, 2, 7],
      ],
      [
        [1, 2, 7],
        [2, 1, 7],
      ],
      false,
    ],
    [
      'repeated columns',
      [
        [1, 1, 2],
        [3, 3, 4],
      ],
      [
        [2, 1, 1],
        [4, 3, 3],
      ],
      true,
    ],
    [
      'columns repeated unequally',
      [
        [1, 1, 2],
        [3, 3, 4],
      ],
      [
        [1, 2, 2],
        [3, 4, 4],
      ],
      false,
    ],
    ['one of them empty', [], [[1]], false],
  ])('%s', (_, a, b, expected) => {
    expect(sameRowsAnyColumnOrder(makeTable(a), makeTable(b))).toBe(expected)
    expect(sameRowsAnyColumnOrder(makeTable(b), makeTable(a))).toBe(expected)
  })

  it('columns whose pairs agree, but whose triples do not', () => {
    // Each two columns hold all four pairs once; the third is the exclusive or, or its complement.
    const parity = (odd: number): Rows => [0, 1, 2, 3].map(n => [n & 1, n >> 1, (n & 1) ^ (n >> 1) ^ odd])
    expect(sameRowsAnyColumnOrder(makeTable(parity(0)), makeTable(parity(1)))).toBe(false)
  })

  it('keeps the kinds with their columns', () => {
    const a = makeTable([['1.50', 'x']], { kinds: ['number', 'text'] })
    const b = makeTable([['x', 1.5]], { kinds: ['text', 'number'] })
    expect(sameRowsAnyColumnOrder(a, b)).toBe(true)
  })

  it('ends on results built to be hard: one row for each column, alike in every column', () => {
    const width = 40
    const identity = (shift: number): Rows =>
      Array.from({ length: width }, (_, r) =>
        Array.from({ length: width }, (_, c) => Number(c === (r + shift) % width)),
      )
    expect(sameRowsAnyColumnOrder(makeTable(identity(0)), makeTable(identity(7)))).toBe(true)
  })

  it('agrees with trying every order', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }).chain(width => fc.tuple(rowsOf(width), rowsOf(width))),
        ([a, b]) => {
          const expected = ordersOf(a[0]?.length ?? 0).some(order =>
            sameRows(makeTable(rearrange(a, order)), makeTable(b)),
          )
          expect(sameRowsAnyColumnOrder(makeTable(a), makeTable(b))).toBe(
            expected || a.length + b.length === 0,
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  it('finds any rearrangement of rows and columns', () => {
    const shuffled = fc.integer({ min: 1, max: 7 }).chain(width =>
      rowsOf(width, 30).chain(rows =>
        fc
          .tuple(fc.constant(rows), shuffle([...Array(width).keys()]), shuffle(rows))
          .map(([original, order, mixed]) => ({
            original,
            rearranged: rearrange(mixed, order),
          })),
      ),
    )
    fc.assert(
      fc.property(shuffled, ({ original, rearranged }) => {
        expect(sameRowsAnyColumnOrder(makeTable(original), makeTable(rearranged))).toBe(true)
      }),
    )
  })
})

function rowsOf(width: number, maxLength = 4): fc.Arbitrary<Cell[][]> {
  const cell = fc.constantFrom<Cell[]>(null, 0, 1, 'a')
  return fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength })
}

function shuffle<T>(items: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...items], { minLength: items.length })
}

function rearrange(rows: Rows, order: readonly number[]): Rows {
  return rows.map(row => order.map(c => row[c] ?? null))
}

function ordersOf(width: number): number[][] {
  if (width === 0) return [[]]
  return ordersOf(width - 1).flatMap(order =>
    Array.from({ length: width }, (_, at) => order.toSpliced(at, 0, width - 1)),
  )
}
