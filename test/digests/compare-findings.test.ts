import { describe, expect, it } from 'vitest'
import { compareFindings, findingOfTable, meetsCondition } from '../../src/digests/findings.ts'
import type { DigestCondition } from '../../src/domain/digests/digest.ts'
import type { Cell, ResultTable, ValueKind } from '../../src/domain/result.ts'

const table = (
  columns: readonly (readonly [string, ValueKind])[],
  rows: readonly (readonly Cell[])[],
  truncated: ResultTable['truncated'] = null,
): ResultTable => ({
  columns: columns.map(([name, kind]) => ({ name, kind })),
  rows,
  truncated,
  milliseconds: 1,
})

const number = (value: Cell): ResultTable => table([['n', 'integer']], [[value]])

const perCity = (...rows: readonly (readonly Cell[])[]): ResultTable =>
  table(
    [
      ['city', 'text'],
      ['orders', 'integer'],
    ],
    rows,
  )

const compare = (before: ResultTable | null, now: ResultTable) =>
  compareFindings(before && findingOfTable(before), findingOfTable(now))

describe('compareFindings', () => {
  it('reports by how much a number changed', () => {
    expect(compare(null, number(3))).toEqual({ kind: 'first' })
    expect(compare(number(4), number(4))).toEqual({ kind: 'same' })
    expect(compare(number(4), number(5))).toEqual({ kind: 'number', before: 4, now: 5, percent: 25 })
    expect(compare(number(-4), number(-5))).toEqual({ kind: 'number', before: -4, now: -5, percent: -25 })
    expect(compare(number(0), number(5))).toEqual({ kind: 'number', before: 0, now: 5, percent: null })
    expect(compare(number(2n ** 60n), number('1.5'))).toMatchObject({ kind: 'number', now: 1.5 })
  })

  it('finds added, removed and changed rows by key column, in any order', () => {
    const before = perCity(['Oslo', 3], ['Rome', 5], ['Bonn', 7])
    expect(compare(before, perCity(['Bonn', 7], ['Rome', 5], ['Oslo', 3]))).toEqual({ kind: 'same' })
    expect(compare(before, perCity(['Oslo', 3], ['Rome', 6], ['Kiel', 1]))).toEqual({
      kind: 'rows',
      added: 1,
      removed: 1,
      changed: 1,
    })
  })

  it('compares rows without a key as a whole, with repetitions', () => {
    const rows = (...values: readonly number[]) =>
      table(
        [
          ['n', 'integer'],
          ['m', 'integer'],
        ],
        values.map(n => [n, n]),
      )
    expect(compare(rows(1, 1, 2), rows(1, 2, 2))).toEqual({ kind: 'rows', added: 1, removed: 1, changed: 0 })
  })

  it('notices that a number became a table', () => {
    expect(compare(number(4), perCity(['Oslo', 4], ['Rome', 5]))).toMatchObject({
      kind: 'rows',
      added: 2,
      removed: 1,
    })
  })

  it('does not compare rows cut by a cap, but notices a difference', () => {
    const cut = (...rows: readonly (readonly Cell[])[]) => ({
      ...perCity(...rows),
      truncated: 'rows' as const,
    })
    expect(compare(cut(['Oslo', 3]), cut(['Oslo', 3]))).toEqual({ kind: 'same' })
    expect(compare(cut(['Oslo', 3]), cut(['Rome', 3]))).toEqual({ kind: 'differs' })
    expect(compare(perCity(['Oslo', 3]), cut(['Oslo', 3], ['Rome', 3]))).toEqual({ kind: 'differs' })
    const many = (last: number) =>
      perCity(...Array.from({ length: 5_002 }, (_, i) => [`City ${i}`, i === 5_001 ? last : i]))
    expect(compare(many(1), many(1))).toEqual({ kind: 'same' })
    expect(compare(many(1), many(2))).toEqual({ kind: 'differs' })
  })

  it('distinguishes no rows from some', () => {
    expect(compare(perCity(), perCity())).toEqual({ kind: 'same' })
    expect(compare(perCity(['Oslo', 1]), perCity())).toMatchObject({ removed: 1 })
  })
})

describe('meetsCondition', () => {
  const meets = (condition: DigestCondition, before: ResultTable | null, now: ResultTable): boolean => {
    const [was, is] = [before && findingOfTable(before), findingOfTable(now)]
    return meetsCondition(condition, is, { before: was, change: compareFindings(was, is) })
  }

  it('is met by a change, and by the first run', () => {
    expect(meets({ kind: 'changed' }, null, number(3))).toBe(true)
    expect(meets({ kind: 'changed' }, number(3), number(3))).toBe(false)
    expect(meets({ kind: 'changed' }, number(3), number(4))).toBe(true)
  })

  it('compares the number with a limit, also that of the first row', () => {
    expect(meets({ kind: 'above', value: 3 }, null, number(3))).toBe(false)
    expect(meets({ kind: 'above', value: 3 }, null, number(4))).toBe(true)
    expect(meets({ kind: 'below', value: 3 }, null, number(2))).toBe(true)
    expect(meets({ kind: 'above', value: 3 }, null, perCity(['Oslo', 4], ['Rome', 1]))).toBe(true)
    expect(meets({ kind: 'below', value: 3 }, null, perCity())).toBe(false)
  })

  it('is met by a change of at least that percentage, up or down', () => {
    const moved = { kind: 'moved', percent: 10 } as const
    expect(meets(moved, number(100), number(109))).toBe(false)
    expect(meets(moved, number(100), number(110))).toBe(true)
    expect(meets(moved, number(100), number(90))).toBe(true)
    expect(meets(moved, number(0), number(1))).toBe(true)
    expect(meets(moved, number(0), number(0))).toBe(false)
    expect(meets(moved, null, number(1))).toBe(true)
  })
})
