import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChartData } from '../../../src/domain/result.ts'
import { checkBlocks, checkMessage } from '../../../src/slack/block-kit/blocks.ts'
import { chartAsTable, nativeChart } from '../../../src/slack/block-kit/chart.ts'

const data: ChartData = {
  kind: 'line',
  xTitle: 'Month',
  yTitle: 'Revenue (EUR)',
  categories: ['Oct 2026', 'Nov 2026 so far'],
  series: [{ name: 'Revenue (EUR) of completed orders', values: [339147.59, 12] }],
}

const chartOf = (given: Partial<ChartData> = {}) => {
  const chart = nativeChart({ ...data, ...given })
  if (!chart) throw new Error('it does not fit')
  return chart
}

describe('a chart that Slack draws', () => {
  it('has a title, axes, and one point for each category', () => {
    expect(chartOf()).toEqual({
      type: 'data_visualization',
      title: 'Revenue (EUR) by month',
      chart: {
        type: 'line',
        series: [
          {
            name: 'Revenue (EUR) of co…',
            data: [
              { label: 'Oct 2026', value: 339147.59 },
              { label: 'Nov 2026 so far', value: 12 },
            ],
          },
        ],
        axis_config: {
          categories: ['Oct 2026', 'Nov 2026 so far'],
          x_label: 'Month',
          y_label: 'Revenue (EUR)',
        },
      },
    })
  })

  it('has the segments of a pie', () => {
    const pie = chartOf({ kind: 'pie', xTitle: 'Region', yTitle: 'Share' })
    expect(pie.chart).toMatchObject({ type: 'pie', segments: [{ label: 'Oct 2026' }, { value: 12 }] })
  })

  const labels = (count: number) => Array.from({ length: count }, (_, i) => `c${i}`)
  const series = (count: number, points: number) =>
    labels(count).map(name => ({ name, values: Array.from({ length: points }, () => 1) }))

  it.each<[string, Partial<ChartData>]>([
    ['a label of 21 characters', { categories: ['x'.repeat(21), 'y'] }],
    ['an empty label', { categories: ['', 'y'] }],
    ['the same label twice', { categories: ['y', 'y'] }],
    ['21 points', { categories: labels(21), series: series(1, 21) }],
    ['seven series', { series: series(7, 2) }],
    [
      'long names of several series',
      { series: series(2, 2).map(one => ({ ...one, name: one.name.repeat(11) })) },
    ],
    ['seven segments', { kind: 'pie', categories: labels(7), series: series(1, 7) }],
    ['a segment of nothing', { kind: 'pie', series: [{ name: 'x', values: [0, 1] }] }],
  ])('is none with %s', (_, given) => {
    expect(nativeChart({ ...data, ...given })).toBeNull()
  })

  it('is a table where it is not drawn', () => {
    expect(chartAsTable(chartOf()).rows[1]).toEqual([
      { type: 'raw_text', text: 'Oct 2026' },
      { type: 'raw_number', value: 339147.59, text: '339,147.59' },
    ])
  })

  it('passes every limit whatever it shows, as a chart or as a table', () => {
    const given = fc
      .tuple(
        fc.constantFrom('pie' as const, 'bar' as const, 'line' as const),
        fc.string({ maxLength: 70 }),
        fc.string({ maxLength: 70 }),
        fc.uniqueArray(fc.string({ maxLength: 22 }), { maxLength: 22 }),
        fc.uniqueArray(fc.string({ minLength: 1, maxLength: 22 }), { minLength: 1, maxLength: 7 }),
      )
      .chain(([kind, xTitle, yTitle, categories, names]) =>
        fc
          .array(
            fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
              minLength: categories.length,
              maxLength: categories.length,
            }),
            { minLength: names.length, maxLength: names.length },
          )
          .map(values => ({
            ...{ kind, xTitle, yTitle, categories },
            series: names.map((name, i) => ({ name, values: values[i] ?? [] })),
          })),
      )
    fc.assert(
      fc.property(given, one => {
        const chart = nativeChart(one)
        if (chart === null) return
        expect(checkMessage({ text: 'x', blocks: [chart] })).toEqual([])
        expect(checkMessage({ text: 'x', blocks: [chartAsTable(chart)] })).toEqual([])
      }),
      { seed: 23, numRuns: 200 },
    )
  })
})

describe('the check of a chart', () => {
  const chart = chartOf()
  const line = chart.chart.type === 'line' ? chart.chart : null
  const [first] = line?.series ?? []

  it.each([
    ['a title of 51 characters', { ...chart, title: 'x'.repeat(51) }],
    ['a kind that Slack does not draw', { ...chart, chart: { ...line, type: 'radar' } }],
    ['two series of the same name', { ...chart, chart: { ...line, series: [first, first] } }],
    ['a missing point', { ...chart, chart: { ...line, series: [{ ...first, data: first?.data.slice(1) }] } }],
    [
      'a point of no category',
      { ...chart, chart: { ...line, axis_config: { categories: ['Oct 2026', 'Dec 2026'] } } },
    ],
  ])('refuses %s', (_, wrong) => {
    expect(checkBlocks([chart, chart])).toEqual([])
    expect(checkBlocks([wrong])).not.toEqual([])
  })

  it('refuses a third one', () => {
    expect(checkBlocks([chart, chart, chart])).not.toEqual([])
  })
})
