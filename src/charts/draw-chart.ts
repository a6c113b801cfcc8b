import type { DrawChart } from '../core/chart.ts'
import { chooseChart } from './choose-chart.ts'
import { describeChart } from './describe-chart.ts'
import { drawVega } from './draw-vega.ts'
import { renderPng } from './render-png.ts'
import { vegaSpec } from './vega-spec.ts'

/** Draws a result as PNG in the one of our charts that fits its shape; null when none does. */
export const drawChart: DrawChart = async table => {
  const spec = chooseChart(table)
  if (!spec) return null
  return { png: await renderPng(await drawVega(vegaSpec(spec))), altText: describeChart(spec) }
}
