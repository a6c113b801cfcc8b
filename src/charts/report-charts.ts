import type { TopLevelSpec } from 'vega-lite'
import { drawVega } from './vega-spec.ts'

/** Bars by category, in the given order; several series are placed side by side. */
interface BarChart {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  /** The least upper end of the axis; 1 for shares, so that two charts can be compared. */
  readonly most?: number
  readonly series: readonly {
    readonly name: string
    readonly bars: readonly { readonly category: string; readonly value: number }[]
  }[]
}

const barChartWidth = 560

const barChartHeight = 260

/** Draws a bar chart as SVG on white, without fonts. Loads no external resources. */
export const drawBarChart = ({ title, xTitle, yTitle, most, series }: BarChart): Promise<string> => {
  const rows = series.flatMap(({ name, bars }) =>
    bars.map(({ category, value }) => ({ series: name, category, value })),
  )
  const names = series.map(({ name }) => name)
  const spec = {
    title,
    background: 'white',
    width: barChartWidth,
    height: barChartHeight,
    data: { values: rows },
    mark: 'bar',
    encoding: {
      x: {
        field: 'category',
        type: 'nominal',
        title: xTitle,
        sort: [...new Set(rows.map(({ category }) => category))],
        axis: { labelAngle: 0 },
      },
      y: {
        field: 'value',
        type: 'quantitative',
        title: yTitle,
        ...(most === undefined ? {} : { scale: { domain: [0, most] } }),
      },
      // A legend for one series would repeat the title.
      color: {
        field: 'series',
        type: 'nominal',
        title: null,
        sort: names,
        ...(names.length > 1 ? {} : { legend: null }),
      },
      ...(names.length > 1 ? { xOffset: { field: 'series', sort: names } } : {}),
    },
  }
  return drawVega(spec as TopLevelSpec)
}

/** One line of a chart; a point's `note` is not drawn but is in the data. */
interface ChartSeries {
  readonly name: string
  /** Drawn as separate points instead of a line. */
  readonly isPoints?: boolean
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

/** Several lines on common axes. */
interface LineChart {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly series: readonly ChartSeries[]
}

const lineChartWidth = 560

const lineChartHeight = 320

/** Draws a line chart as SVG on white, without fonts. Loads no external resources. */
export const drawLineChart = ({ title, xTitle, yTitle, series }: LineChart): Promise<string> => {
  const rows = series.flatMap(({ name, isPoints = false, points }) =>
    points.map(({ x, y }) => ({ series: name, kind: isPoints ? 'points' : 'line', x, y })),
  )
  const encoding = {
    x: { field: 'x', type: 'quantitative', title: xTitle, scale: { zero: false, nice: true } },
    y: { field: 'y', type: 'quantitative', title: yTitle, scale: { zero: false, nice: true } },
    color: {
      field: 'series',
      type: 'nominal',
      title: null,
      sort: series.map(({ name }) => name),
      legend: { orient: 'bottom', columns: 2, labelLimit: lineChartWidth },
    },
  }
  const spec = {
    title,
    background: 'white',
    width: lineChartWidth,
    height: lineChartHeight,
    data: { values: rows },
    layer: [
      { transform: [{ filter: 'datum.kind === "line"' }], mark: { type: 'line', point: true }, encoding },
      {
        transform: [{ filter: 'datum.kind === "points"' }],
        mark: { type: 'point', filled: true, size: 90 },
        encoding,
      },
    ],
  }
  return drawVega(spec as TopLevelSpec)
}
