import type { SqlShape } from '../../sql/sql-shape.ts'
import type { ShapePriorModel } from './expectation-model.ts'
import { orderCues, placeItems } from './order-cues.ts'
import type { QuestionMentions } from './read-question.ts'

/** More items than this are not weighed: nobody asks for so many one by one. */
const MOST_ITEMS = 12

/**
 * Judges the order of a query's items: the sum over all pairs of log P(the left one stands left). 0 is the best;
 * comparable between queries that show the same items.
 */
export const makeColumnOrderPrior =
  (model: ShapePriorModel, reading: QuestionMentions) =>
  (shape: SqlShape): number => {
    if (shape.items.length < 2 || shape.items.length > MOST_ITEMS) return 0
    const items = placeItems(shape, reading)
    let sum = 0
    for (const [at, left] of items.entries())
      for (const right of items.slice(at + 1)) {
        let logit = 0
        for (const [cue, sign] of orderCues(left, right, reading))
          if (Object.hasOwn(model.order, cue)) logit += sign * model.order[cue]!
        sum -= Math.log1p(Math.exp(-logit))
      }
    return sum
  }
