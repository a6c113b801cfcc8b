import { describe, expect, it } from 'vitest'
import { chooseChart, findChartShape } from '../../src/charts/choose-chart.ts'
import { describeChart, drawChart } from '../../src/charts/draw-chart.ts'
import { drawVega, vegaSpec } from '../../src/charts/vega-spec.ts'
import type { ColumnMeaning, FigureKind } from '../../src/domain/metrics/answer-meaning.ts'
import type { Cell, ResultTable, ValueKind } from '../../src/domain/result.ts'

const tableOf = (columns: [string, ValueKind][], rows: Cell[][]): ResultTable => ({
  columns: columns.map(([name, kind]) => ({ name, kind })),
  rows,
  truncated: null,
  milliseconds: 1,
})

const byMonth = tableOf(
  [
    ['month', 'date'],
    ['revenue', 'number'],
  ],
  [
    ['2026-03-01', '12.5'],
    ['2026-01-01', 10],
    ['2026-02-01', null],
    ['2026-04-01', 8n],
  ],
)

const byRegion = tableOf(
  [
    ['month', 'text'],
    ['region', 'text'],
    ['orders', 'integer'],
  ],
  ['2026-01', '2026-02', '2026-03'].flatMap((month, i) => [
    [month, 'North', i],
    [month, 'South', 10 - i],
  ]),
)

const byKind = tableOf(
  [
    ['kind', 'text'],
    ['n', 'integer'],
  ],
  [
    ['cargo', 16],
    ['tandem', 12],
    [null, 3],
  ],
)

describe('the chart of a result', () => {
  it('over time is lines, in the order of time, whatever the order of the rows', () => {
    const spec = chooseChart(byMonth)
    expect(spec?.kind).toBe('lines')
    expect(spec?.points.map(({ y }) => y)).toEqual([10, 12.5, 8])
  })

  it.each([
    [
      'months',
      ['2026-07-01', '2026-08-01', '2026-09-01', '2026-10-01'],
      ['July', 'August', 'September', 'October'],
    ],
    ['days', ['2026-10-10', '2026-10-11', '2026-10-12'], ['Oct 10', 'Oct 11', 'Oct 12']],
  ])('of a few %s has a tick for each of them and no other', async (_what, days, expected) => {
    const spec = chooseChart(
      tableOf(
        [
          ['month', 'date'],
          ['orders', 'integer'],
        ],
        days.map((day, i) => [day, i * 9]),
      ),
    )
    const svg = await drawVega(vegaSpec(spec!))
    expect([...svg.matchAll(/>([A-Z][a-z]+(?: \d+)?)<\/text>/g)].map(([, text]) => text)).toEqual(expected)
  })

  it('of a category over time is a line for each', () => {
    const spec = chooseChart(byRegion)
    expect(spec).toMatchObject({ kind: 'lines', series: ['North', 'South'], yTitle: 'orders' })
    expect(spec?.points).toHaveLength(6)
  })

  it('of few short categories is columns, of many or long ones lying bars', () => {
    expect(chooseChart(byKind)?.kind).toBe('columns')
    const long = { ...byKind, rows: [...byKind.rows, ['a very long kind of bicycle', 1]] }
    expect(chooseChart(long)?.kind).toBe('bars')
  })

  it('of a year that is a number is lines', () => {
    const years = [2022, 2023, 2024].map((year, i) => [year, i])
    const table = tableOf(
      [
        ['order_year', 'integer'],
        ['orders', 'integer'],
      ],
      years,
    )
    expect(chooseChart(table)?.kind).toBe('lines')
  })

  it.each<[string, ResultTable]>([
    ['one value', tableOf([['n', 'integer']], [[1]])],
    ['no rows', { ...byKind, rows: [] }],
    ['a result that was cut', { ...byKind, truncated: 'rows' }],
    [
      'names alone',
      tableOf(
        [
          ['a', 'text'],
          ['b', 'text'],
        ],
        [
          ['x', 'y'],
          ['z', 'w'],
        ],
      ),
    ],
    [
      'ids, which measure nothing',
      tableOf(
        [
          ['name', 'text'],
          ['customer_id', 'integer'],
        ],
        [
          ['x', 1],
          ['y', 2],
        ],
      ),
    ],
    ['a category that comes twice', { ...byKind, rows: [...byKind.rows, ['cargo', 1]] }],
    ['two amounts at one moment', { ...byMonth, rows: [...byMonth.rows, ['2026-01-01', 11]] }],
    ['too many categories', { ...byKind, rows: Array.from({ length: 31 }, (_, i) => [`kind ${i}`, i]) }],
    [
      'four numbers',
      tableOf(
        [
          ['kind', 'text'],
          ['a', 'integer'],
          ['b', 'integer'],
          ['c', 'integer'],
          ['d', 'integer'],
        ],
        [
          ['x', 1, 2, 3, 4],
          ['y', 1, 2, 3, 4],
        ],
      ),
    ],
  ])('is none for %s', async (_, table) => {
    expect(findChartShape(table)).toBe('none')
    expect(await drawChart(table)).toBeNull()
  })

  it('says in words what it shows', () => {
    const words = [byMonth, byRegion, byKind].map(table => {
      const spec = chooseChart(table)
      return spec && describeChart(spec)
    })
    expect(words).toEqual([
      'Line chart of revenue by month, from 2026-01-01 to 2026-04-01. Highest: 12.5 at 2026-03-01. Lowest: 8 at 2026-04-01.',
      'Line chart of orders of North, South by month, from 2026-01 to 2026-03. Highest: 10 at 2026-01 (South). Lowest: 0 at 2026-01 (North).',
      'Column chart of n by kind (3 of them). Highest: 16 at cargo. Lowest: 3 at –.',
    ])
  })

  it('is a PNG', async () => {
    const chart = await drawChart(byRegion)
    const png = Buffer.from(chart?.png ?? [])
    expect(png.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
    expect(png.readUInt32BE(16)).toBeGreaterThan(1_000)
  })

  it('takes text of the database as text', async () => {
    const spec = chooseChart({
      ...byKind,
      columns: [
        { name: 'kind <script>', kind: 'text' },
        { name: 'n', kind: 'integer' },
      ],
      rows: [...byKind.rows, ['<b>"&{{x}}', 2]],
    })
    const svg = spec ? await drawVega(vegaSpec(spec)) : ''
    expect(svg).toContain('&lt;b&gt;')
    expect(svg).not.toContain('<script')
  })
})

describe('the chart of a result whose columns are known', () => {
  const meant = (columns: readonly ColumnMeaning[], rows: Cell[][]): ResultTable => ({
    columns: columns.map((meaning, at) => ({ name: `c${at}`, kind: 'unknown', meaning })),
    rows,
    truncated: null,
    milliseconds: 1,
  })
  const figure = (label: string, unit: ColumnMeaning['unit'], of: FigureKind = 'value'): ColumnMeaning => ({
    label,
    unit,
    role: { kind: 'figure', of, goodDirection: null, isAdditive: true },
  })
  const cents = { kind: 'currency', code: 'EUR', scale: 0.01 } as const
  const month: ColumnMeaning = {
    label: 'Month',
    unit: null,
    role: { kind: 'period', grain: 'month', runningOn: '2026-11-20' },
  }
  const region: ColumnMeaning = { label: 'Region', unit: null, role: { kind: 'category', isOrdered: false } }
  const months = ['2026-09-01', '2026-10-01', '2026-11-01']

  it('has its headings and units, and says which period is not over', () => {
    const spec = chooseChart(
      meant(
        [month, figure('Revenue', cents)],
        months.map((day, at) => [day, at * 5000]),
      ),
    )
    expect(spec).toMatchObject({
      kind: 'lines',
      xTitle: 'Month (Nov 2026 so far)',
      yTitle: 'Revenue (EUR)',
    })
    expect(spec?.points.map(({ y }) => y)).toEqual([0, 50, 100])
    expect(spec && describeChart(spec)).toContain('from Sep 2026 to Nov 2026 so far')
  })

  it('joins the parts of a name, and leaves out ids and changes', () => {
    const name = (label: string): ColumnMeaning => ({ label, unit: null, role: { kind: 'name' } })
    const id: ColumnMeaning = { label: 'Customer ID', unit: null, role: { kind: 'detail' } }
    const spec = chooseChart(
      meant(
        [
          id,
          name('First name'),
          name('Last name'),
          figure('Orders', { kind: 'count' }),
          figure('Growth', { kind: 'percent', scale: 100 }, 'growth'),
        ],
        [
          [1, 'Ada', 'Alm', 5, 0.1],
          [2, 'Bo', 'Berg', 4, 0.2],
        ],
      ),
    )
    expect(spec).toMatchObject({ kind: 'columns', yTitle: 'Orders', series: ['Orders'] })
    expect(spec?.points.map(({ x }) => x)).toEqual(['Ada Alm', 'Bo Berg'])
  })

  it('is stacked for shares of a whole, at once and over time', async () => {
    const share = figure('Share', { kind: 'percent', scale: 100 }, 'share')
    const whole = chooseChart(
      meant(
        [region, figure('Orders', { kind: 'count' }), share],
        [
          ['East', 3, 0.75],
          ['West', 1, 0.25],
        ],
      ),
    )
    expect(whole).toMatchObject({
      kind: 'stacked',
      series: ['East', 'West'],
      yTitle: 'Share (%)',
      xTitle: 'Region',
    })
    expect(whole?.points.map(({ y }) => y)).toEqual([75, 25])
    expect(whole && describeChart(whole)).toBe(
      'Stacked bar chart of Share (%) by Region (2 of them). Highest: 75 at East. Lowest: 25 at West.',
    )
    const overTime = chooseChart(
      meant(
        [month, region, share],
        months.flatMap(day => [
          [day, 'East', 0.6],
          [day, 'West', 0.4],
        ]),
      ),
    )
    expect(overTime?.points.map(({ x }) => x)).toContain('Nov 2026 so far')
    expect(await drawVega(vegaSpec(overTime!))).toContain('Nov 2026 so far')
  })

  it('is none for one number, or for a list', () => {
    expect(chooseChart(meant([figure('Revenue', cents)], [[5]]))).toBeNull()
    expect(chooseChart(meant([region], [['East'], ['West']]))).toBeNull()
  })
})
