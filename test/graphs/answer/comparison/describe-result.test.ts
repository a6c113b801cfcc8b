import { describe, expect, it } from 'vitest'
import { describeResult } from '../../../../graphs/answer/comparison/judge-request.ts'
import type { Cell, ResultTable } from '../../../../src/domain/result.ts'

const table = (columns: number, rows: readonly (readonly Cell[])[], given: Partial<ResultTable> = {}) => ({
  columns: Array.from({ length: columns }, (_, at) => ({ name: `c${at}`, kind: 'text' as const })),
  rows,
  truncated: null,
  milliseconds: 1,
  ...given,
})

describe('the head of a result', () => {
  it('says how many rows of which columns, and shows the first', () => {
    expect(
      describeResult(
        table(2, [
          ['a', null],
          [1, true],
        ]),
        { seesRows: true },
      ),
    ).toBe('2 rows; columns: c0 (text), c1 (text)\na | NULL\n1 | true')
  })

  it('says that there are none', () => {
    expect(describeResult(table(1, []), { seesRows: true })).toBe('0 rows; columns: c0 (text)')
  })

  it('stays short, whatever is in it', () => {
    const wide = Array.from({ length: 40 }, () => 'a\nb '.repeat(500))
    const shown = describeResult(
      table(
        40,
        Array.from({ length: 5_000 }, () => wide),
        { truncated: 'rows' },
      ),
      {
        seesRows: true,
      },
    )
    expect(shown).toMatch(/^at least 5000 rows; columns: .*and 28 more\n/)
    expect(shown.length).toBeLessThan(8_000)
    expect(shown.split('\n')).toHaveLength(10)
  })

  it('never shows bytes, and says when rows are gone', () => {
    expect(describeResult(table(1, [[new Uint8Array([104, 105])]]), { seesRows: true })).toContain(
      '(2 bytes)',
    )
    expect(describeResult(null, { seesRows: true })).toMatch(/no longer kept/)
  })
})
