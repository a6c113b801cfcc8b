import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ColumnMeaning, FigureKind } from '../../../src/domain/metrics/answer-meaning.ts'
import type { Cell, ResultColumn, ResultTable, ValueKind } from '../../../src/domain/result.ts'
import { checkBlocks, checkMessage } from '../../../src/slack/block-kit/blocks.ts'
import { monospaceTable, plainTable, tableBlock } from '../../../src/slack/block-kit/table.ts'

const tableOf = (columns: readonly [string, ValueKind][], rows: ResultTable['rows']): ResultTable => ({
  columns: columns.map(([name, kind]) => ({ name, kind })),
  rows,
  truncated: null,
  milliseconds: 1,
})

const blockOf = (table: ResultTable) => {
  const fitted = tableBlock(table)
  if (!fitted) throw new Error('nothing fits')
  return fitted.block
}

const revenue = tableOf(
  [
    ['region', 'text'],
    ['revenue', 'number'],
  ],
  [
    ['East', 1204.5],
    ['West', '90071992547409.5'],
    [null, null],
  ],
)

describe('a result as a table', () => {
  it('has numbers to sort by, and dashes for what is missing', () => {
    expect(blockOf(revenue)).toEqual({
      type: 'data_table',
      caption: 'Revenue by region',
      rows: [
        [
          { type: 'raw_text', text: 'Region' },
          { type: 'raw_text', text: 'Revenue' },
        ],
        [
          { type: 'raw_text', text: 'East' },
          { type: 'raw_number', value: 1204.5, text: '1204.5' },
        ],
        [
          { type: 'raw_text', text: 'West' },
          expect.objectContaining({ type: 'raw_number', value: 90071992547409.5 }),
        ],
        [
          { type: 'raw_text', text: '–' },
          { type: 'raw_text', text: '–' },
        ],
      ],
      page_size: 3,
      row_header_column_index: 0,
    })
  })

  it('names its row by what is no figure, and says what it is', () => {
    const years = blockOf(
      tableOf(
        [
          ['tents', 'integer'],
          ['year', 'integer'],
        ],
        [[3, 2026]],
      ),
    )
    expect(years).toMatchObject({ caption: 'Tents by year', row_header_column_index: 1 })
    const names = tableOf(
      [
        ['first_name', 'text'],
        ['last_name', 'text'],
      ],
      [['Ada', 'L']],
    )
    expect(blockOf(names).caption).toBe('First name, last name')
  })

  it('calls first and last name a name, and leaves out what is told of its figures', () => {
    const name: ColumnMeaning = { label: 'First name', unit: null, role: { kind: 'name' } }
    const figure = (label: string, of: FigureKind): ColumnMeaning => ({
      label,
      unit: null,
      role: { kind: 'figure', of, goodDirection: null, isAdditive: true },
    })
    const meanings = [name, { ...name, label: 'Last name' }, figure('Revenue', 'value')]
    const columns = [...meanings, figure('Share of revenue', 'share')].map(
      (meaning): ResultColumn => ({ name: meaning.label, kind: 'number', meaning }),
    )
    const table = { columns, rows: [['Ada', 'L', 3, 0.5]], truncated: null, milliseconds: 1 }
    expect(blockOf(table).caption).toBe('Revenue by name')
  })

  it('is paged when it is long', () => {
    const long = (rows: number) =>
      blockOf(
        tableOf(
          [['n', 'integer']],
          Array.from({ length: rows }, (_, i) => [i]),
        ),
      )
    expect([1, 15, 16, 100].map(rows => long(rows).page_size)).toEqual([1, 15, 10, 10])
    expect(long(500).rows).toHaveLength(101)
  })

  it('is nothing without a row or a column', () => {
    expect(tableBlock(tableOf([['n', 'integer']], []))).toBeNull()
    expect(tableBlock(tableOf([], [[]]))).toBeNull()
  })

  it('keeps its numbers on the right in its plainer forms', () => {
    const older = plainTable(blockOf(revenue))
    expect(older.column_settings).toEqual([{ is_wrapped: true }, { align: 'right' }])
    expect(older.rows.flat().every(cell => cell.type === 'raw_text')).toBe(true)
    expect(JSON.stringify(monospaceTable(blockOf(revenue), { isInCsv: true }))).toContain('East     ')
  })

  it('fits in every form, whatever it holds', () => {
    const cell: fc.Arbitrary<Cell> = fc.oneof(
      fc.constant(null),
      fc.string({ maxLength: 400 }),
      fc.double(),
      fc.bigInt(),
      fc.boolean(),
    )
    const kind = fc.constantFrom<ValueKind>('text', 'integer', 'number', 'date', 'unknown')
    const table = fc
      .array(fc.tuple(fc.string({ maxLength: 90 }), kind), { minLength: 1, maxLength: 30 })
      .chain(columns =>
        fc
          .array(fc.array(cell, { minLength: columns.length, maxLength: columns.length }), {
            minLength: 1,
            maxLength: 120,
          })
          .map(rows => tableOf(columns, rows)),
      )
    fc.assert(
      fc.property(table, result => {
        const block = blockOf(result)
        for (const form of [block, plainTable(block), monospaceTable(block, { isInCsv: true })])
          expect(checkMessage({ text: 'x', blocks: [form] })).toEqual([])
      }),
      { seed: 17, numRuns: 60 },
    )
  })
})

describe('the check of a data table', () => {
  const block = blockOf(revenue)
  const [header, row] = block.rows

  it.each([
    ['no caption', { ...block, caption: '' }],
    ['a header alone', { ...block, rows: [header] }],
    ['102 rows', { ...block, rows: Array.from({ length: 102 }, () => row) }],
    ['rows of different length', { ...block, rows: [header, [...(row ?? []), ...(row ?? [])]] }],
    ['21 columns', { ...block, rows: [header, row].map(() => Array.from({ length: 21 }, () => row?.[0])) }],
    ['an empty page', { ...block, page_size: 0 }],
    ['a page of 101 rows', { ...block, page_size: 101 }],
    ['a row header that is no column', { ...block, row_header_column_index: 2 }],
    ['a number without a value', { ...block, rows: [header, [row?.[0], { type: 'raw_number', text: '1' }]] }],
  ])('refuses %s', (_, wrong) => {
    expect(checkBlocks([block])).toEqual([])
    expect(checkBlocks([wrong])).not.toEqual([])
  })
})
