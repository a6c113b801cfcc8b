import { describe, expect, it } from 'vitest'
import { summarizeResult } from '../../../../graphs/strategies/recap/describe-work.ts'
import type { ResultTable } from '../../../../src/domain/result.ts'

const table: ResultTable = {
  columns: [
    { name: 'name', kind: 'text' },
    { name: 'city', kind: 'text' },
  ],
  rows: [
    ['Ada', null],
    ['Bo', 'Vaasa'],
    ['Cleo', null],
    ['Dag', 'Turku'],
  ],
  truncated: null,
  milliseconds: 1,
}

describe('a result for the validator', () => {
  it('has counts, NULLs and the first rows', () => {
    expect(summarizeResult(table, { seesRows: true, sampleRows: 3 })).toBe(
      '4 rows; columns: name (text), city (text)\nAda | NULL\nBo | Vaasa\nCleo | NULL\n...\nNULLs: city 2',
    )
  })

  it.each([
    ['where rows may not be seen', { seesRows: false, sampleRows: 3 }],
    ['where none are to be sampled', { seesRows: true, sampleRows: 0 }],
  ])('has no cell %s', (_, shown) => {
    expect(summarizeResult(table, shown)).toBe('4 rows; columns: name (text), city (text)\nNULLs: city 2')
  })

  it('says that there are no rows, and that rows are gone', () => {
    const shown = { seesRows: true, sampleRows: 3 }
    expect(summarizeResult({ ...table, rows: [] }, shown)).toBe('0 rows; columns: name (text), city (text)')
    expect(summarizeResult(null, shown)).toMatch(/no longer kept/)
  })
})
