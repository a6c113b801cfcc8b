import type { TopLevelSpec } from 'vega-lite'
import { drawVega } from './draw-vega.ts'

/** One line of a chart; a point's `note` is not drawn but stands in the data. */
export interface ChartSeries {
  readonly name: string
  /** Drawn as separate points instead of a line. */
  readonly isPoints?: boolean
  readonly points: readonly { readonly x: number; readonly y: number }[]
}

/** A chart of lines over a common pair of axes. */
export interface LineChart {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  readonly series: readonly ChartSeries[]
}

const lineChartWidth = 560
const lineChartHeight = 320

/** Draws a line chart as SVG, on a white ground, without any font of its own. Loads nothing from anywhere. */
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
