import type { DateUnit, Expression } from '../../../sql/render/expression.ts'
import type { ColumnEntry } from '../../schema/schema-index.ts'
import { columnExpression, momentType } from '../column-expression.ts'

/** Renders the day, week, month, quarter or year that a column's moment is in, in the question's time zone. */
export type DateUnitExpression = (moment: {
  readonly column: ColumnEntry
  readonly unit: DateUnit
}) => Expression

export const makeDateUnitExpression =
  (qualified: boolean, timeZone: string): DateUnitExpression =>
  ({ column, unit }) => ({
    kind: 'truncate',
    unit,
    argument: columnExpression(column, qualified),
    type: momentType(column),
    timeZone,
  })
