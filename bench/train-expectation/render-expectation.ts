import type { ShapePriorModel } from '../../src/ranking/shape-prior/shape-prior-model.ts'

const WIDTH = 110

/** The text of a model's file: one cue a line, so that two models can be compared by eye. */
export const renderExpectation = (model: ShapePriorModel): string =>
  `${JSON.stringify(model, null, 2).replace(
    /^( *(?:"(?:[^"\\]|\\.)*": )?)\[\n([^[\]{}]*?)\n *\]/gm,
    (whole, before: string, inside: string) => {
      const line = `${before}[${inside.trim().replace(/,\n\s*/g, ', ')}]`
      return line.length < WIDTH ? line : whole
    },
  )}\n`
