import type { ChartData, FindChartData } from '../domain/result.ts'
import { type ChartPoint, type ChartSpec, chooseChart } from './choose-chart.ts'

/**
 * The data of a result's chart, for Slack to draw with one place for each label. Null if nothing fits, or if that
 * would mislead: a value is missing, or the moments are not evenly spaced.
 */
export const findChartData: FindChartData = table => {
  const spec = chooseChart(table)
  if (!spec) return null
  const { xTitle, yTitle } = spec
  switch (spec.kind) {
    case 'lines':
      return areEvenlySpaced(momentsOf(spec)) ? withSeries('line', spec) : null
    case 'columns':
    case 'bars':
      return withSeries('bar', spec)
    case 'stacked': {
      // Shares over time would need bars on top of each other.
      if (spec.points.some(({ x }) => x !== '')) return null
      const values = spec.points.map(({ y }) => y)
      const categories = spec.points.map(({ series }) => series)
      return { kind: 'pie', xTitle, yTitle, categories, series: [{ name: yTitle, values }] }
    }
    default: {
      const never: never = spec.kind
      return never
    }
  }
}

const withSeries = (kind: 'line' | 'bar', spec: ChartSpec): ChartData | null => {
  const { xTitle, yTitle, points, labelOf } = spec
  const places = [...new Set(points.map(({ x }) => x))]
  const series = spec.series.map(name => {
    const of = new Map(points.filter(point => point.series === name).map(({ x, y }) => [x, y]))
    return { name, values: places.flatMap(x => of.get(x) ?? []) }
  })
  if (series.some(({ values }) => values.length !== places.length)) return null
  return { kind, xTitle, yTitle, categories: places.map(labelOf), series }
}

const momentsOf = ({ points }: ChartSpec): readonly number[] =>
  [...new Set(points.map(({ x }: ChartPoint) => Number(x)))].toSorted((a, b) => a - b)

/** Months have 28 to 31 days. */
const MOST_UNEVEN = 1.2

const areEvenlySpaced = (moments: readonly number[]): boolean => {
  const gaps = moments.slice(1).map((moment, i) => moment - (moments[i] ?? 0))
  return Math.max(...gaps) <= Math.min(...gaps) * MOST_UNEVEN
}
