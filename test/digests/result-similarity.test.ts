import { describe, expect, it } from 'vitest'
import { findingOfTable, resultSimilarity } from '../../src/digests/findings.ts'
import type { Cell, ResultTable, ValueKind } from '../../src/domain/result.ts'

const table = (
  columns: readonly (readonly [string, ValueKind])[],
  rows: readonly (readonly Cell[])[],
): ResultTable => ({
  columns: columns.map(([name, kind]) => ({ name, kind })),
  rows,
  truncated: null,
  milliseconds: 1,
})

const pastOf = (of: ResultTable) => ({
  shape: { columns: of.columns, rows: of.rows.length },
  finding: findingOfTable(of),
})

const likeness = (before: ResultTable, now: ResultTable): number =>
  resultSimilarity(pastOf(before), { table: now, finding: findingOfTable(now) }) ?? Number.NaN

const cities = (...rows: readonly (readonly [Cell, number])[]): ResultTable =>
  table(
    [
      ['city', 'text'],
      ['n', 'integer'],
    ],
    rows,
  )

describe('similarity to the previous result', () => {
  const before = cities(['Oslo', 3], ['Kiel', 4])

  it('is 1 if nothing changed, and unknown without a previous result', () => {
    expect(likeness(before, before)).toBe(1)
    const now = { table: before, finding: findingOfTable(before) }
    expect(resultSimilarity({ shape: null, finding: null }, now)).toBeNull()
  })

  it('is higher with the same keys, and with the same column kinds', () => {
    const later = likeness(before, cities(['Oslo', 5], ['Kiel', 9]))
    const others = likeness(before, cities(['tools', 3], ['paint', 4]))
    const ids = likeness(
      before,
      table(
        [
          ['city_id', 'integer'],
          ['n', 'integer'],
        ],
        [
          [1, 3],
          [2, 4],
        ],
      ),
    )
    expect(later).toBeGreaterThan(others)
    expect(others).toBeGreaterThan(ids)
  })

  it('is lower for no rows than for as many, and for a number than for a table', () => {
    const number = (n: number): ResultTable => table([['n', 'integer']], [[n]])
    expect(likeness(before, cities())).toBeLessThan(likeness(before, cities(['Bonn', 1], ['Rome', 2])))
    expect(likeness(number(100), number(90))).toBeGreaterThan(likeness(number(100), number(3)))
    expect(likeness(number(100), before)).toBeLessThan(likeness(number(100), number(3)))
  })
})
