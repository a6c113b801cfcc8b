import type { ChartData } from '../../domain/result.ts'
import { formatCell } from '../../lib/format-cell.ts'
import { tableCaption } from '../copy/answer.ts'
import { type SlackBlock, slackLimits } from './schema.ts'
import type { DataTable } from './table.ts'
import { truncateText } from './text.ts'

/** A chart that Slack draws. */
export type NativeChart = Extract<SlackBlock, { readonly type: 'data_visualization' }>

/** A chart for Slack to draw; null if it breaks one of Slack's limits. Labels are never cut: two could look alike. */
export const nativeChart = (data: ChartData): NativeChart | null => {
  const { kind, xTitle, yTitle, categories, series } = data
  const [first] = series
  if (first === undefined || categories.length === 0 || new Set(categories).size < categories.length)
    return null
  if (categories.some(label => !isLabel(label))) return null
  const [labels, figures] = [[xTitle], [yTitle]].map(one => one.filter(text => text.trim() !== ''))
  const title = truncateText(tableCaption(labels ?? [], figures ?? []) || '–', slackLimits.chartTitle)
  if (kind === 'pie') {
    if (categories.length > slackLimits.pieSegments || first.values.some(value => value <= 0)) return null
    const segments = categories.map((label, i) => ({ label, value: first.values[i] ?? 0 }))
    return { type: 'data_visualization', title, chart: { type: 'pie', segments } }
  }
  // The name of a single series is on the axis too.
  const named =
    series.length === 1 ? [{ ...first, name: truncateText(first.name, slackLimits.chartLabel) }] : series
  if (named.length > slackLimits.chartSeries || categories.length > slackLimits.chartPoints) return null
  if (named.some(({ name }) => !isLabel(name))) return null
  return {
    type: 'data_visualization',
    title,
    chart: {
      type: kind,
      series: named.map(({ name, values }) => ({
        name,
        data: categories.map((label, i) => ({ label, value: values[i] ?? 0 })),
      })),
      axis_config: {
        categories: [...categories],
        x_label: truncateText(xTitle, slackLimits.chartTitle),
        y_label: truncateText(yTitle, slackLimits.chartTitle),
      },
    },
  }
}

const isLabel = (text: string): boolean => text.trim() !== '' && text.length <= slackLimits.chartLabel

/** What a chart shows as a table, for a workspace that does not draw it. */
export const chartAsTable = ({ title, chart }: NativeChart): DataTable => {
  const series = chart.type === 'pie' ? [{ name: title, data: chart.segments }] : chart.series
  const labels = (series[0]?.data ?? []).map(({ label }) => label)
  const xTitle = chart.type === 'pie' ? '' : chart.axis_config.x_label
  const text = (of: string) => ({ type: 'raw_text' as const, text: of })
  return {
    type: 'data_table',
    caption: title,
    rows: [
      [xTitle?.trim() || '–', ...series.map(({ name }) => name)].map(text),
      ...labels.map((label, i) => [
        text(label),
        ...series.map(({ data }) => {
          const value = data[i]?.value ?? 0
          return { type: 'raw_number' as const, value, text: formatCell(value, { grouped: true }) }
        }),
      ]),
    ],
    page_size: labels.length,
  }
}
