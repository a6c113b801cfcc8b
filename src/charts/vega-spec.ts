import { parse, type Spec, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import type { ChartSpec } from './choose-chart.ts'

/** The family of the fonts that `renderPng` brings along. */
export const chartFont = 'DejaVu Sans'

const WIDTH = 640

const HEIGHT = 300

/** Of a lying bar, so that labels of many categories do not touch. */
const BAR_STEP = 26

const TITLE_WIDTH = 620

/** Eight colours that stay apart in the common kinds of colour blindness (Okabe and Ito 2008), yellow last. */
const seriesColors = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#555555', '#f0e442']

/** A chart as Vega-Lite takes it, named by what it shows. All data stand in it; text comes as data only, never as an expression. */
export const vegaSpec = (spec: ChartSpec): TopLevelSpec => {
  const several = spec.series.length > 1
  const base = {
    title: { text: `${spec.yTitle} by ${spec.xTitle}`, anchor: 'start', limit: TITLE_WIDTH },
    background: 'white',
    padding: 12,
    data: { values: spec.points },
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
    // A legend for one series would only repeat the axis.
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
    default: {
      const never: never = spec.kind
      return never
    }
  }
}

/** Among few days or months each has its tick: five months would else be measured in fortnights, and no point lie on one. */
const maxTicks = 31

const ticksAt = ({ points }: ChartSpec) => {
  const values = [...new Set(points.map(({ x }) => x))]
  const isAll = (ending: string) => values.every(x => new Date(x).toISOString().endsWith(ending))
  if (values.length > maxTicks || !isAll('T00:00:00.000Z')) return {}
  // Vega names months, and the year where January stands; of days it would name some by the week and some by the month.
  const format = isAll('-01T00:00:00.000Z') ? {} : { format: '%b %d' }
  return { axis: { values, labelOverlap: 'greedy', ...format } }
}

/** Draws a Vega-Lite chart as SVG. Its data must stand in it: nothing is loaded from anywhere. */
export const drawVega = async (spec: TopLevelSpec): Promise<string> => {
  const view = new View(parse(compile(spec).spec as Spec), { renderer: 'none' })
  try {
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}
