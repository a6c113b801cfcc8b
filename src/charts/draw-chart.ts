import { createRequire } from 'node:module'
import { join } from 'node:path'
import { renderAsync } from '@resvg/resvg-js'
import type { DrawChart } from '../domain/result.ts'
import { formatCell } from '../lib/format-cell.ts'
import { projectFolder } from '../lib/project.ts'
import { type ChartPoint, type ChartSpec, chooseChart } from './choose-chart.ts'
import { chartFont, drawVega, vegaSpec } from './vega-spec.ts'

/** Draws a result as PNG in the chart that fits its shape; null if none does. */
export const drawChart: DrawChart = async table => {
  const spec = chooseChart(table)
  if (!spec) return null
  return { png: await renderPng(await drawVega(vegaSpec(spec))), altText: describeChart(spec) }
}

const { resolve } = createRequire(join(projectFolder, 'package.json'))

const fontFiles = ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map(file =>
  resolve(`dejavu-fonts-ttf/ttf/${file}`),
)

/** Twice the size in pixels, for high-resolution screens. */
const ZOOM = 2

/** Renders SVG as PNG. The fonts are included, so the picture is the same on every machine. */
const renderPng = async (svg: string): Promise<Uint8Array> => {
  const rendered = await renderAsync(svg, {
    fitTo: { mode: 'zoom', value: ZOOM },
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: chartFont },
  })
  return rendered.asPng()
}

const kinds = {
  lines: 'Line chart',
  columns: 'Column chart',
  bars: 'Bar chart',
  stacked: 'Stacked bar chart',
} as const

/** Describes a chart in words for people who cannot see it: measure and axis, range, highest and lowest. */
export const describeChart = (spec: ChartSpec): string => {
  const { kind, points, series, labelOf } = spec
  const what =
    series.length > 1 && points[0]?.x !== '' && !spec.yTitle.includes(series[0] ?? '')
      ? `${spec.yTitle} of ${series.join(', ')}`
      : spec.yTitle
  const xs = [...new Set(points.map(({ x }) => x))]
  const [first = ''] = xs
  const reach =
    kind === 'lines'
      ? `, from ${labelOf(first)} to ${labelOf(xs.at(-1) ?? '')}`
      : ` (${first === '' ? series.length : xs.length} of them)`
  const high = points.reduce((a, b) => (b.y > a.y ? b : a), points[0] as ChartPoint)
  const low = points.reduce((a, b) => (b.y < a.y ? b : a), points[0] as ChartPoint)
  const at = ({ x, y, series: name }: ChartPoint): string =>
    `${formatCell(y, { grouped: true })} at ${x === '' ? name : `${labelOf(x)}${series.length > 1 ? ` (${name})` : ''}`}`
  return `${kinds[kind]} of ${what} by ${spec.xTitle}${reach}. Highest: ${at(high)}. Lowest: ${at(low)}.`
}
