import type { Expression } from '../../../sql/render/expression.ts'
import type { Having } from '../../frame/frame.ts'
import type { MeasureExpression } from './build-measure.ts'

/** What is asked of a group's number: a comparison, or between two numbers where there is a higher one. */
export const havingExpression = (
  { measure, operator, number, high }: Having,
  build: MeasureExpression,
): Expression => {
  const low: Expression = { kind: 'literal', value: number }
  return high === null
    ? { kind: 'compare', operator, left: build(measure), right: low }
    : {
        kind: 'between',
        argument: build(measure),
        low,
        high: { kind: 'literal', value: high },
        negated: false,
      }
}
