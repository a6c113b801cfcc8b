import type { TopLevelSpec } from 'vega-lite'
import { drawVega } from './draw-vega.ts'

/** Bars by category, in the order given; with several series their bars stand side by side. */
export interface BarChart {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  /** How far the axis goes at least; 1 for shares, so that two charts can be compared. */
  readonly most?: number
  readonly series: readonly {
    readonly name: string
    readonly bars: readonly { readonly category: string; readonly value: number }[]
  }[]
}

const barChartWidth = 560
const barChartHeight = 260

/** Draws a bar chart as SVG, on a white ground, without any font of its own. Loads nothing from anywhere. */
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
      // A legend for one series would only repeat the title.
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
