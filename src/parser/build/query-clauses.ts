import { splitName } from '../../lib/fold-text.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { literalOf, starOf } from '../../sql/tree/compose-query.ts'
import {
  compareOf,
  type Expression,
  type Ordering,
  type Output as SelectedOutput,
} from '../../sql/tree/query-tree.ts'
import { type Frame, type Having, isMeasure, type Measure, type OrderKey, type Output } from '../frame.ts'
import type { Features } from '../rank/model.ts'
import type { TableEntry } from '../schema/schema-index.ts'
import {
  type CountingWay,
  columnExpression,
  type DateUnitExpression,
  type MeasureExpression,
} from './expressions.ts'

/** What rendering an output needs besides it. */
interface Selecting {
  readonly entity: TableEntry
  readonly qualified: boolean
  readonly measure: MeasureExpression
  readonly unit: DateUnitExpression
}

/** One output as an item of SELECT. Measures and units get a name, columns keep theirs. */
export const selectItem = (
  output: Output,
  { entity, qualified, measure, unit }: Selecting,
): SelectedOutput => {
  switch (output.kind) {
    case 'all': {
      const table = qualified && output.table ? output.table.table.name : null
      return { expression: starOf(table), alias: null }
    }
    case 'column':
      return { expression: columnExpression(output.column, qualified), alias: null }
    case 'unit':
      return { expression: unit(output), alias: output.unit }
    case 'measure':
      return {
        expression: measure(output.measure),
        alias: measureAlias(output.measure, entity.table.name),
      }
  }
}

const prefixes = { count: 'number_of', sum: 'total', avg: 'average', min: 'lowest', max: 'highest' } as const

/** The name of a measure in the result: `number_of_orders`, `average_age`. */
const measureAlias = (measure: Measure, counted: string | null): string => {
  const noun = measure.column?.column.name ?? measure.table?.table.name ?? counted ?? 'rows'
  const words = splitName(noun)
  const prefix = prefixes[measure.fn]
  const said = words[0] === 'total' || words[0] === 'average' ? words.slice(1) : words
  return `${prefix}_${(said.length > 0 ? said : words).join('_')}`.replace(/[^\p{L}\p{N}_]/gu, '_')
}

/** The condition on a group's number: a comparison, or BETWEEN if there is a second number. */
export const havingExpression = (
  { measure, operator, number, high }: Having,
  build: MeasureExpression,
): Expression => {
  const low = literalOf(number)
  return high === null
    ? compareOf(operator, build(measure), low)
    : {
        kind: 'between',
        operand: build(measure),
        low,
        high: literalOf(high),
        negated: false,
      }
}

/** What ordering needs besides the frame. */
interface OrderingParts {
  readonly entity: TableEntry
  readonly orderBy: CountingWay['orderBy']
  readonly qualified: boolean
  readonly measure: MeasureExpression
  readonly unit: DateUnitExpression
}

/** The order that was asked for; else by time, if rows are grouped by it. */
export const orderItems = (frame: Frame, ordering: OrderingParts): readonly Ordering[] =>
  frame.orders.length > 0
    ? frame.orders.map(order => askedOrder(order, ordering))
    : frame.groups.flatMap(({ column, unit }): readonly Ordering[] =>
        unit === null ? [] : [{ expression: ordering.unit({ column, unit }), direction: 'asc', details: [] }],
      )

const askedOrder = (
  { by: asked, direction }: OrderKey,
  { entity, orderBy, qualified, measure }: OrderingParts,
): Ordering => {
  const by =
    orderBy && !isMeasure(asked) && asked.table !== entity
      ? { fn: orderBy, column: asked, table: asked.table, distinct: false }
      : asked
  const expression = isMeasure(by) ? measure(by) : columnExpression(by, qualified)
  const nullable = isMeasure(by) ? by.fn !== 'count' : by.column.nullable
  return { expression, direction, details: [], ...(nullable && { nullsLast: true }) }
}

const ratingStems = new Set(
  ['rating', 'score', 'star', 'grade', 'satisfaction', 'review', 'point', 'rank'].map(stemWord),
)

/** Features of how an order by a column with many rows was understood. */
export const orderFeatures = (frame: Frame, { orderBy }: CountingWay): Features => {
  const many = frame.limit === null ? 'all' : frame.limit > 1 ? 'many' : 'one'
  if (!orderBy) return [[`order.asJoined.${many}`, 1]]
  const ratings = frame.orders.some(
    order =>
      !isMeasure(order.by) && order.by.words.some(word => word.stems.some(stem => ratingStems.has(stem))),
  )
  const way = orderBy === 'sum' ? 'order.summed' : 'order.averaged'
  return [
    [way, 1],
    [`${way}.${ratings ? 'rating' : 'amount'}`, 1],
    [`${way}.${many}`, 1],
  ]
}
