import { expect, it } from 'vitest'
import { makeExportRows } from '../../src/app/export-rows.ts'
import type { AnsweredQuestion } from '../../src/core/answered-question.ts'
import type { Cell, ResultTable, ValueKind } from '../../src/core/result.ts'

const exported = async (
  columns: [string, ValueKind][],
  rows: Cell[][],
  truncated: ResultTable['truncated'] = null,
) => {
  const exportRows = makeExportRows({
    findAnswered: async () => ({ resultId: 'r' }) as AnsweredQuestion,
    loadResult: async () => ({
      columns: columns.map(([name, kind]) => ({ name, kind })),
      rows,
      truncated,
      milliseconds: 1,
    }),
  })
  return exportRows('0123456789')
}

it('writes a header and every row, with a byte order mark', async () => {
  const file = await exported(
    [
      ['city', 'text'],
      ['n', 'integer'],
    ],
    [
      ['Oslo', 1],
      [null, 9007199254740993n],
    ],
  )
  expect(file).toMatchObject({ fileName: 'answer-01234567.csv', rows: 2, complete: true })
  expect(file?.csv).toBe('\uFEFFcity,n\nOslo,1\n,9007199254740993\n')
})

it('defuses what a spreadsheet would run, and leaves negative numbers alone', async () => {
  const file = await exported(
    [
      ['a', 'text'],
      ['b', 'integer'],
      ['c', 'number'],
      ['d', 'text'],
    ],
    [['=1+1', -5, '-12.3456789012345678', '-12.5']],
  )
  expect(file?.csv).toContain("'=1+1,-5,-12.3456789012345678,'-12.5")
})

it('keeps columns of the same name, and one without a name', async () => {
  const file = await exported(
    [
      ['id', 'integer'],
      ['id', 'integer'],
      ['', 'integer'],
    ],
    [[1, 2, 3]],
  )
  expect(file?.csv).toBe('\uFEFFid,id,–\n1,2,3\n')
})

it('says when the result had been cut before it was kept', async () => {
  expect((await exported([['n', 'integer']], [[1]], 'rows'))?.complete).toBe(false)
})
