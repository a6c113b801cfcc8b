import { parse, type Spec, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'

/** Draws a Vega-Lite chart as SVG. Its data must stand in it: nothing is loaded from anywhere. */
export const drawVega = async (spec: TopLevelSpec): Promise<string> => {
  const view = new View(parse(compile(spec).spec as Spec), { renderer: 'none' })
  try {
    return await view.toSVG()
  } finally {
    view.finalize()
  }
}
