import { parse, type Spec, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { ChartSpec } from './choose-chart.ts'

/** The font family that `renderPng` includes. */
export const chartFont = 'DejaVu Sans'

const WIDTH = 640

const HEIGHT = 300

/** Height per bar, so that labels of many categories do not touch. */
const BAR_STEP = 26

const TITLE_WIDTH = 620

/** Eight colors that people with common color blindness can tell apart (Okabe and Ito 2008), yellow last. */
const seriesColors = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#555555', '#f0e442']

/** A chart as a Vega-Lite specification. It contains all its data; text is only data, never an expression. */
export const vegaSpec = (spec: ChartSpec): TopLevelSpec => {
  const several = spec.series.length > 1
  const base = {
    title: { text: `${spec.yTitle} by ${spec.xTitle}`, anchor: 'start', limit: TITLE_WIDTH },
    background: 'white',
    padding: 12,
    data: { values: spec.points.map(point => ({ ...point, place: spec.series.indexOf(point.series) })) },
    config: {
      font: chartFont,
      axis: { labelLimit: 220, titleFontWeight: 'normal' },
      range: { category: seriesColors },
      view: { stroke: null },
    },
  }
  const color = {
    field: 'series',
    type: 'nominal',
    title: null,
    sort: spec.series,
    // A legend for one series would repeat the axis.
    ...(several ? { legend: { orient: 'bottom', columns: 4, labelLimit: 150 } } : { legend: null }),
  }
  const amount = { field: 'y', type: 'quantitative', title: spec.yTitle }
  const category = { field: 'x', type: 'nominal', title: spec.xTitle, sort: null }
  switch (spec.kind) {
    case 'lines':
      return {
        ...base,
        width: WIDTH,
        height: HEIGHT,
        mark: { type: 'line', point: spec.points.length <= 100 },
        encoding: {
          x: { field: 'x', type: 'temporal', title: spec.xTitle, scale: { type: 'utc' }, ...ticksAt(spec) },
          y: { ...amount, scale: { zero: false, nice: true } },
          color,
        },
      } as TopLevelSpec
    case 'columns':
      return {
        ...base,
        width: WIDTH,
        height: HEIGHT,
        mark: 'bar',
        encoding: {
          x: { ...category, axis: { labelAngle: 0 } },
          y: amount,
          color,
          ...(several ? { xOffset: { field: 'series', sort: spec.series } } : {}),
        },
      } as TopLevelSpec
    case 'bars':
      return {
        ...base,
        width: WIDTH,
        height: { step: several ? BAR_STEP / 2 : BAR_STEP },
        mark: 'bar',
        encoding: {
          y: category,
          x: amount,
          color,
          ...(several ? { yOffset: { field: 'series', sort: spec.series } } : {}),
        },
      } as TopLevelSpec
    case 'stacked': {
      const isOne = spec.points.every(({ x }) => x === '')
      const [along, across] = isOne ? ['y', 'x'] : ['x', 'y']
      return {
        ...base,
        width: WIDTH,
        height: isOne ? BAR_STEP * 2 : HEIGHT,
        mark: 'bar',
        encoding: {
          [along]: { ...category, axis: isOne ? null : { labelAngle: 0, labelOverlap: 'greedy' } },
          [across]: { ...amount, stack: 'zero' },
          order: { field: 'place' },
          color,
        },
      } as TopLevelSpec
    }
    default: {
      const never: never = spec.kind
      return never
    }
  }
}

/**
 * With few days or months each gets a tick; otherwise five months would be marked in fortnights, and no point would be
 * on a mark.
 */
const maxTicks = 31

const ticksAt = ({ points }: ChartSpec) => {
  const values = [...new Set(points.map(({ x }) => x))]
  const isAll = (ending: string) => values.every(x => new Date(x).toISOString().endsWith(ending))
  if (values.length > maxTicks || !isAll('T00:00:00.000Z')) return {}
  // Vega labels months, with the year at January; for days it would mix weeks and months.
  const format = isAll('-01T00:00:00.000Z') ? {} : { format: '%b %d' }
  return { axis: { values, labelOverlap: 'greedy', ...format } }
}

/** Draws a Vega-Lite chart as SVG. Its data must be included: nothing is loaded. */
export const drawVega = async (spec: TopLevelSpec): Promise<string> => {
  const view = new View(parse(compile(spec).spec as Spec), { renderer: 'none' })
  try {
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}
