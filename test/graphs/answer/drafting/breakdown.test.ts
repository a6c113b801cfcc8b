import { describe, expect, it } from 'vitest'
import { addUpToTotals, EVENLY_SPREAD, scoreParts } from '../../../../graphs/answer/drafting/breakdown.ts'
import { formatBreakdown } from '../../../../graphs/answer/headline.ts'
import type { ResultTable } from '../../../../src/domain/result.ts'

const part = (value: string, beside: number, subject: number) => ({ value, beside, subject })

describe('a split', () => {
  it('tells nothing where all values moved by the same share, however large one of them is', () => {
    const { score } = scoreParts([part('large', 900, 810), part('small', 100, 90)], 'period')
    expect(score).toBeLessThan(EVENLY_SPREAD)
  })

  it('tells most where one small value holds the whole change', () => {
    const { leading, share, expected, score } = scoreParts(
      [part('large', 900, 900), part('small', 100, 10)],
      'period',
    )
    expect(leading.map(({ value }) => value)).toEqual(['small'])
    expect(share).toBeCloseTo(1)
    expect(expected).toBeCloseTo(0.1)
    expect(score).toBeCloseTo(0.9)
  })

  it('tells nothing of a change that did not happen', () => {
    expect(scoreParts([part('a', 1, 2), part('b', 2, 1)], 'period').score).toBe(0)
  })

  it('of a group tells by how much its mix differs', () => {
    const same = scoreParts([part('a', 80, 8), part('b', 20, 2)], 'group')
    const other = scoreParts([part('a', 80, 0), part('b', 20, 10)], 'group')
    expect(same.score).toBe(0)
    expect(other.score).toBeCloseTo(0.8)
  })
})

describe('parts', () => {
  it('must be all there is, but for noise in the last digits', () => {
    const totals = { subject: 3, beside: 0.3 }
    expect(addUpToTotals([part('a', 0.1, 1), part('b', 0.2, 2)], totals)).toBe(true)
    expect(addUpToTotals([part('a', 0.1, 1), part('b', 0.2, 1)], totals)).toBe(false)
  })
})

describe('the headline', () => {
  const contrast = { kind: 'period', subject: 'March', beside: 'February' } as const
  const plan = {
    contrast,
    totals: 'totals',
    dimensions: [{ label: 'port', sql: { falling: 'falling', rising: 'rising' } }],
    assumptions: [],
  }
  const table = (rows: ResultTable['rows']): ResultTable => ({
    columns: [],
    rows,
    truncated: null,
    milliseconds: 1,
  })

  it('says when values fell by more than everything together', () => {
    const rows = [
      ['Kiel', 100, 20, -80],
      ['Oslo', 100, 130, 30],
    ]
    expect(formatBreakdown(plan, 'falling', table(rows))).toBe(
      'March was 50 below February (150 after 200). By port, Kiel fell by 80; the others rose by 30 together.',
    )
  })

  it('of totals alone says what was compared', () => {
    expect(formatBreakdown(plan, 'totals', table([[2, 2, 0]]))).toBe(
      'March was the same as February (2 after 2).',
    )
  })

  it('is none of its own for another statement', () => {
    expect(formatBreakdown(plan, 'select 1', table([[1]]))).toBeNull()
  })
})
