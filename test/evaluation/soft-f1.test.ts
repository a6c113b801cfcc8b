import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Cell } from '../../src/domain/result.ts'
import { softF1 } from '../../src/evaluation/execution-accuracy.ts'
import { makeTable } from './make-table.ts'

type Rows = readonly (readonly Cell[])[]

describe('softF1', () => {
  it.each<[string, Rows, Rows, number]>([
    ['equal', [[1, 'a']], [[1, 'a']], 1],
    ['both empty', [], [], 1],
    ['nothing predicted', [], [[1]], 0],
    ['nothing expected', [[1]], [], 0],
    ['nothing in common', [[1]], [[2]], 0],
    ['column order is free', [['a', 1]], [[1, 'a']], 1],
    ['duplicates are dropped', [[1], [1], [2]], [[1], [2]], 1],
    // Half of each row is right: precision and recall are both 1/2.
    ['half a row', [[1, 'x']], [[1, 'a']], 0.5],
    // Two of three columns asked for: precision 2/3, recall 1.
    ['an extra column', [[1, 'a', 9]], [[1, 'a']], 0.8],
    // One of two columns: precision 1, recall 1/2.
    ['a missing column', [[1]], [[1, 'a']], 2 / 3],
    // Rows are paired by position: the second has no partner.
    ['an extra row', [[1], [2]], [[1]], 2 / 3],
    ['a missing row', [[1]], [[1], [2]], 2 / 3],
    ['rows in another order do not meet', [[2], [1]], [[1], [2]], 0],
    ['numbers of another type', [[1n, true]], [[1, 1]], 1],
  ])('%s', (_, predicted, gold, expected) => {
    expect(softF1(makeTable(predicted), makeTable(gold))).toBeCloseTo(expected, 12)
  })

  it('lies between 0 and 1, and is 1 for a result against itself', () => {
    const cell = fc.constantFrom<Cell[]>(null, 0, 1, 'a')
    const rows = fc
      .integer({ min: 1, max: 3 })
      .chain(width => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 5 }))
    fc.assert(
      fc.property(rows, rows, (a, b) => {
        const score = softF1(makeTable(a), makeTable(b))
        expect(score).toBeGreaterThanOrEqual(0)
        expect(score).toBeLessThanOrEqual(1 + 1e-12)
        expect(softF1(makeTable(a), makeTable(a))).toBeCloseTo(1, 12)
      }),
    )
  })
})
