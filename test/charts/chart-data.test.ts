import { describe, expect, it } from 'vitest'
import { findChartData } from '../../src/charts/chart-data.ts'
import type { ColumnMeaning } from '../../src/domain/metrics/answer-meaning.ts'
import type { Cell, ResultColumn, ResultTable } from '../../src/domain/result.ts'

const tableOf = (columns: readonly ResultColumn[], rows: readonly Cell[][]): ResultTable => ({
  ...{ columns, rows },
  truncated: null,
  milliseconds: 1,
})

const month = { name: 'month', kind: 'date' } as const
const orders = { name: 'orders', kind: 'integer' } as const

describe('a chart as data', () => {
  it('has its moments in order, each with a value of each series', () => {
    const rows = [
      ['2026-03-01', 3],
      ['2026-01-01', 1],
      ['2026-02-01', 2],
    ]
    expect(findChartData(tableOf([month, orders], rows))).toEqual({
      kind: 'line',
      xTitle: 'month',
      yTitle: 'orders',
      categories: ['2026-01-01', '2026-02-01', '2026-03-01'],
      series: [{ name: 'orders', values: [1, 2, 3] }],
    })
  })

  it('is none if a month is missing, or a value', () => {
    const of = (...months: number[]) =>
      tableOf(
        [month, orders],
        months.map(one => [`2026-0${one}-01`, one]),
      )
    expect(findChartData(of(1, 2, 4))).toBeNull()
    const kind = { name: 'kind', kind: 'text' } as const
    const holes = [1, 2, 3].flatMap(one => [
      [`2026-0${one}-01`, 'a', one],
      ...(one === 2 ? [] : [[`2026-0${one}-01`, 'b', one]]),
    ])
    expect(findChartData(tableOf([month, kind, orders], holes))).toBeNull()
  })

  it('has bars for categories', () => {
    const rows = [
      ['Oslo', 3],
      ['Turku', 1],
    ]
    expect(findChartData(tableOf([{ name: 'city', kind: 'text' }, orders], rows))).toMatchObject({
      kind: 'bar',
      categories: ['Oslo', 'Turku'],
    })
  })

  it('has a pie for the parts of a whole, and none for them over time', () => {
    const meaning = (label: string, role: ColumnMeaning['role']): ColumnMeaning => ({
      ...{ label, role },
      unit: role.kind === 'figure' ? { kind: 'percent', scale: 100 } : null,
    })
    const share = {
      ...orders,
      kind: 'number',
      meaning: meaning('Share', { kind: 'figure', of: 'share', goodDirection: null, isAdditive: true }),
    } as const
    const region = {
      name: 'region',
      kind: 'text',
      meaning: meaning('Region', { kind: 'category', isOrdered: false }),
    } as const
    const period = { ...month, meaning: meaning('Month', { kind: 'period', grain: 'month' }) }
    const rows = [
      ['East', 0.75],
      ['West', 0.25],
    ]
    expect(findChartData(tableOf([region, share], rows))).toEqual({
      kind: 'pie',
      xTitle: 'Region',
      yTitle: 'Share (%)',
      categories: ['East', 'West'],
      series: [{ name: 'Share (%)', values: [75, 25] }],
    })
    const monthly = ['2026-01-01', '2026-02-01', '2026-03-01'].flatMap(one => rows.map(row => [one, ...row]))
    expect(findChartData(tableOf([period, region, share], monthly))).toBeNull()
  })

  it('is none for a table that is no chart', () => {
    expect(findChartData(tableOf([orders], [[1], [2]]))).toBeNull()
  })
})
