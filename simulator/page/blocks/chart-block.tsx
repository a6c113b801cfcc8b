import type { SlackBlock } from '../../../src/slack/block-kit/schema.ts'

type Chart = Extract<SlackBlock, { readonly type: 'data_visualization' }>

type SeriesChart = Exclude<Chart['chart'], { readonly type: 'pie' }>

type PieChart = Extract<Chart['chart'], { readonly type: 'pie' }>

/** In pixels of a phone, so that letters stay readable there. */
const WIDTH = 360

const HEIGHT = 220

const plot = { left: 46, right: WIDTH - 8, top: 10, bottom: HEIGHT - 38 } as const

const LETTER = 6

/** In letters; a shorter one would say nothing. */
const SHORTEST_LABEL = 6

/** A chart as Slack may draw it: plain, with a legend. Screen readers get all of its values. */
export const ChartBlock = ({ block: { title, chart } }: { readonly block: Chart }) => (
  <figure className="chart">
    <figcaption>{title}</figcaption>
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={describe(title, chart)}>
      {chart.type === 'pie' ? <Pie chart={chart} /> : <Axes chart={chart} />}
    </svg>
    <Legend chart={chart} />
  </figure>
)

const Legend = ({ chart }: { readonly chart: Chart['chart'] }) => {
  const total = chart.type === 'pie' ? sum(chart.segments.map(({ value }) => value)) : 0
  const names =
    chart.type === 'pie'
      ? chart.segments.map(({ label, value }) => `${label} ${Math.round((value / total) * 100)}%`)
      : chart.series.map(({ name }) => name)
  if (chart.type !== 'pie' && names.length === 1) return null
  return (
    <ul className="legend" aria-hidden="true">
      {names.map((name, i) => (
        <li key={name} data-color={i}>
          {name}
        </li>
      ))}
    </ul>
  )
}

const Axes = ({ chart }: { readonly chart: SeriesChart }) => {
  const { categories, x_label } = chart.axis_config
  const ticks = niceTicks(chart.series.flatMap(({ data }) => data.map(({ value }) => value)))
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const slot = (plot.right - plot.left) / categories.length
  const x = (i: number): number => plot.left + slot * (i + 0.5)
  const y = (value: number): number =>
    plot.bottom - ((value - low) / (high - low || 1)) * (plot.bottom - plot.top)
  const letters = Math.floor(slot / LETTER)
  // Under a bar belongs its label, cut if need be; along a line every other one will do.
  const cuts = chart.type === 'bar' && letters >= SHORTEST_LABEL
  const longest = Math.max(...categories.map(label => label.length))
  const step = cuts ? 1 : Math.max(1, Math.ceil((longest + 2) / letters))
  return (
    <>
      {ticks.map(tick => (
        <g key={tick}>
          <line className="grid" x1={plot.left} x2={plot.right} y1={y(tick)} y2={y(tick)} />
          <text x={plot.left - 5} y={y(tick) + 4} textAnchor="end">
            {compact(tick)}
          </text>
        </g>
      ))}
      {categories.map((label, i) =>
        i % step === 0 ? (
          <text key={label} x={x(i)} y={plot.bottom + 15} textAnchor="middle">
            {cuts && label.length > letters ? `${label.slice(0, letters - 1)}…` : label}
          </text>
        ) : null,
      )}
      <text x={(plot.left + plot.right) / 2} y={HEIGHT - 4} textAnchor="middle">
        {x_label}
      </text>
      <Marks chart={chart} x={x} y={y} zero={y(Math.max(low, 0))} slot={slot} />
    </>
  )
}

const Marks = (props: {
  readonly chart: SeriesChart
  x(category: number): number
  y(value: number): number
  readonly zero: number
  readonly slot: number
}) => {
  const { chart, x, y, zero, slot } = props
  const at = (label: string): number => chart.axis_config.categories.indexOf(label)
  const width = (slot * 0.7) / chart.series.length
  return chart.series.map(({ name, data }, s) => {
    const points = data.map(({ label, value }) => ({ label, value, x: x(at(label)), y: y(value) }))
    const line = points.map(point => `${point.x},${point.y}`).join(' ')
    const ends = `${points.at(-1)?.x},${zero} ${points[0]?.x},${zero}`
    return (
      <g key={name} data-color={s}>
        {chart.type === 'area' && <polygon className="area" points={`${line} ${ends}`} />}
        {chart.type !== 'bar' && <polyline points={line} />}
        {points.map(point => (
          <g key={point.label}>
            <title>{`${point.label}: ${point.value.toLocaleString('en-US')}`}</title>
            {chart.type === 'bar' ? (
              <rect
                x={point.x - slot * 0.35 + s * width}
                y={Math.min(point.y, zero)}
                width={width}
                height={Math.max(1, Math.abs(zero - point.y))}
              />
            ) : (
              <circle cx={point.x} cy={point.y} r={3} />
            )}
          </g>
        ))}
      </g>
    )
  })
}

const Pie = ({ chart: { segments } }: { readonly chart: PieChart }) => {
  const total = sum(segments.map(({ value }) => value))
  const radius = HEIGHT / 2 - 10
  const edge = (part: number): string => {
    const angle = part * 2 * Math.PI - Math.PI / 2
    return `${WIDTH / 2 + radius * Math.cos(angle)} ${HEIGHT / 2 + radius * Math.sin(angle)}`
  }
  return segments.map(({ label, value }, i) => {
    const before = sum(segments.slice(0, i).map(one => one.value)) / total
    // A whole circle has no edge to draw from.
    const part = Math.min(value / total, 0.9999)
    const path = `M${WIDTH / 2} ${HEIGHT / 2} L${edge(before)} A${radius} ${radius} 0 ${part > 0.5 ? 1 : 0} 1 ${edge(before + part)} Z`
    return (
      <path key={label} data-color={i} d={path}>
        <title>{`${label}: ${value.toLocaleString('en-US')}`}</title>
      </path>
    )
  })
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)

const compact = (value: number): string =>
  value.toLocaleString('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

/** About five round numbers from the lowest value, or zero, to the highest. */
const niceTicks = (values: readonly number[]): readonly number[] => {
  const low = Math.min(0, ...values)
  const high = Math.max(0, ...values)
  const rough = (high - low || 1) / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 2.5, 5, 10].find(one => one * power >= rough) ?? 10) * power
  const first = Math.floor(low / step)
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, i) => (first + i) * step)
}

const kinds = { pie: 'Pie chart', bar: 'Bar chart', area: 'Area chart', line: 'Line chart' } as const

const describe = (title: string, chart: Chart['chart']): string => {
  const list = (data: PieChart['segments']): string =>
    data.map(({ label, value }) => `${label} ${value.toLocaleString('en-US')}`).join(', ')
  const values =
    chart.type === 'pie'
      ? list(chart.segments)
      : chart.series
          .map(({ name, data }) => (chart.series.length === 1 ? list(data) : `${name}: ${list(data)}`))
          .join('. ')
  return `${kinds[chart.type]}: ${title}. ${values}.`
}
