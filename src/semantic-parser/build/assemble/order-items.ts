import type { OrderItem } from '../../../sql/render/select-query.ts'
import { type Frame, isMeasure, type OrderKey } from '../../frame/frame.ts'
import type { TableEntry } from '../../schema/schema-index.ts'
import { columnExpression } from '../column-expression.ts'
import type { MeasureExpression } from './build-measure.ts'
import type { DateUnitExpression } from './build-unit.ts'
import type { CountingWay } from './counting-ways.ts'

/** What ordering reads besides the frame. */
interface Ordering {
  readonly entity: TableEntry
  readonly orderBy: CountingWay['orderBy']
  readonly qualified: boolean
  readonly measure: MeasureExpression
  readonly unit: DateUnitExpression
}

/** The order that was asked for; else by time, where rows are grouped by it. */
export const orderItems = (frame: Frame, ordering: Ordering): readonly OrderItem[] =>
  frame.orders.length > 0
    ? frame.orders.map(order => askedOrder(order, ordering))
    : frame.groups.flatMap(({ column, unit }): readonly OrderItem[] =>
        unit === null
          ? []
          : [{ expression: ordering.unit({ column, unit }), direction: 'asc', nullable: false }],
      )

const askedOrder = (
  { by: asked, direction }: OrderKey,
  { entity, orderBy, qualified, measure }: Ordering,
): OrderItem => {
  const by =
    orderBy && !isMeasure(asked) && asked.table !== entity
      ? { fn: orderBy, column: asked, table: asked.table, distinct: false }
      : asked
  return isMeasure(by)
    ? { expression: measure(by), direction, nullable: by.fn !== 'count' }
    : { expression: columnExpression(by, qualified), direction, nullable: by.column.nullable }
}
