import { formatCell } from '../lib/format-cell.ts'
import type { ChartPoint, ChartSpec } from './chart-spec.ts'

const kinds = { lines: 'Line chart', columns: 'Column chart', bars: 'Bar chart' } as const

/** What a chart shows, in words for those who cannot see it: what over what, from where to where, highest and lowest. */
export const describeChart = (spec: ChartSpec): string => {
  const { kind, points, series, labelOf } = spec
  const what =
    series.length > 1 && !spec.yTitle.includes(series[0] ?? '')
      ? `${spec.yTitle} of ${series.join(', ')}`
      : spec.yTitle
  const xs = [...new Set(points.map(({ x }) => x))]
  const [first = ''] = xs
  const reach =
    kind === 'lines' ? `, from ${labelOf(first)} to ${labelOf(xs.at(-1) ?? '')}` : ` (${xs.length} of them)`
  const high = points.reduce((a, b) => (b.y > a.y ? b : a), points[0] as ChartPoint)
  const low = points.reduce((a, b) => (b.y < a.y ? b : a), points[0] as ChartPoint)
  const at = ({ x, y, series: name }: ChartPoint): string =>
    `${formatCell(y, { grouped: true })} at ${labelOf(x)}${series.length > 1 ? ` (${name})` : ''}`
  return `${kinds[kind]} of ${what} by ${spec.xTitle}${reach}. Highest: ${at(high)}. Lowest: ${at(low)}.`
}
