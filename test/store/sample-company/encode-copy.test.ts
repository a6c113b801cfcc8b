import { describe, expect, it } from 'vitest'
import { encodeCopy } from '../../../src/store/sample-company/load-tables.ts'

describe('encodeCopy', () => {
  it('writes the text format of COPY', () => {
    const rows = [
      [1, null, true, 'plain'],
      [-2.5, 'tab\there', false, 'back\\slash\nand line\r'],
      [3, '\\N', null, ''],
    ]
    expect([...encodeCopy(rows)].join('')).toBe(
      '1\t\\N\ttrue\tplain\n-2.5\ttab\\there\tfalse\tback\\\\slash\\nand line\\r\n3\t\\\\N\t\\N\t\n',
    )
  })

  it('gives many rows in few chunks, whole lines each', () => {
    const rows = Array.from({ length: 20_000 }, (_, at) => [at, `row ${at}`])
    const chunks = [...encodeCopy(rows)]
    expect(chunks.length).toBeGreaterThan(1)
    expect(chunks.length).toBeLessThan(20)
    expect(chunks.every(chunk => chunk.endsWith('\n'))).toBe(true)
    expect(chunks.join('').trimEnd().split('\n')).toEqual(rows.map(row => row.join('\t')))
  })

  it('gives nothing for no rows', () => {
    expect([...encodeCopy([])]).toEqual([])
  })
})
