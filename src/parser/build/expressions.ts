import { aggregateOf, columnOf } from '../../sql/tree/compose-query.ts'
import type { DateUnit, Expression, MomentType } from '../../sql/tree/query-tree.ts'
import { type Frame, isMeasure, type Measure } from '../frame.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'

/** A column with its table's name, or without it in a query over one table. */
export const columnExpression = (column: ColumnEntry, qualified: boolean): Expression =>
  columnOf(column.column.name, qualified ? column.table.table.name : null)

/** How a column stores dates, from its kind and its declared type. */
export const momentType = (column: ColumnEntry): MomentType => {
  if (column.column.kind === 'date') return 'date'
  if (column.column.kind !== 'timestamp') return 'text'
  return /with time zone|timestamptz|\btz\b/i.test(column.column.type) ? 'instant' : 'local'
}

/** Renders the day, week, month, quarter or year of a date column in the question's time zone. */
export type DateUnitExpression = (moment: {
  readonly column: ColumnEntry
  readonly unit: DateUnit
}) => Expression

export const makeDateUnitExpression =
  (qualified: boolean, timeZone: string): DateUnitExpression =>
  ({ column, unit }) => ({
    kind: 'truncate',
    unit,
    operand: columnExpression(column, qualified),
    type: momentType(column),
    timeZone,
  })

/** Renders a measure for one join tree and way of counting. */
export type MeasureExpression = (measure: Measure) => Expression

/** Rows that the joins repeat are counted by their key if each is to count once. */
export const makeMeasureExpression =
  (way: CountingWay, repeated: ReadonlySet<number>, qualified: boolean): MeasureExpression =>
  ({ fn, column, table, distinct }) => {
    if (column)
      return aggregateOf(fn, columnExpression(column, qualified), distinct && !isKeyOf(column, repeated))
    const [key, ...others] = table?.primaryKey ?? []
    const once = way.distinct && table && repeated.has(table.id) && others.length === 0 && key
    return once ? aggregateOf(fn, columnExpression(once, qualified), true) : aggregateOf(fn)
  }

/** Counting the values of a unique key is counting rows. */
const isKeyOf = (column: ColumnEntry, repeated: ReadonlySet<number>): boolean =>
  column.table.primaryKey.length === 1 &&
  column.table.primaryKey[0] === column &&
  !repeated.has(column.table.id)

/** How rows are counted (once each or as joined), and how an order by a column with many rows is meant. */
export interface CountingWay {
  readonly distinct: boolean
  readonly orderBy: 'sum' | 'avg' | null
}

/** The ways to count over one join tree, and why there are several. */
export interface CountingWays {
  readonly ways: readonly CountingWay[]
  /** The joins repeat rows that are counted. */
  readonly countsRepeated: boolean
  /** The order is by a number of another table that may have several rows per entity. */
  readonly sumsOrder: boolean
}

/** One way if the joins repeat nothing that is counted or sorted by; else each way that may be meant. */
export const countingWays = (
  frame: Frame,
  entity: TableEntry,
  repeated: ReadonlySet<number>,
): CountingWays => {
  const countsRepeated = measuresOf(frame).some(
    measure =>
      measure.fn === 'count' && measure.column === null && measure.table && repeated.has(measure.table.id),
  )
  const sumsOrder = ordersByNumberOfMany(frame, entity, repeated)
  const ways: CountingWay[] = [{ distinct: false, orderBy: null }]
  if (countsRepeated) ways.push({ distinct: true, orderBy: null })
  if (sumsOrder) ways.push({ distinct: false, orderBy: 'sum' }, { distinct: false, orderBy: 'avg' })
  return { ways, countsRepeated, sumsOrder }
}

const measuresOf = (frame: Frame): readonly Measure[] => [
  ...frame.outputs.flatMap(output => (output.kind === 'measure' ? [output.measure] : [])),
  ...frame.havings.map(having => having.measure),
  ...frame.orders.flatMap(order => (isMeasure(order.by) ? [order.by] : [])),
]

const ordersByNumberOfMany = (frame: Frame, entity: TableEntry, repeated: ReadonlySet<number>): boolean => {
  const [order, ...further] = frame.orders
  if (order === undefined || further.length > 0 || isMeasure(order.by)) return false
  const { table, traits, column } = order.by
  return table !== entity && repeated.has(entity.id) && traits.numeric && column.kind !== 'text'
}

/** Joins expressions with AND and flattens nested ANDs. Null if there are none. */
export const combineWithAnd = (expressions: readonly Expression[]): Expression | null => {
  const operands = expressions.flatMap(one => (one.kind === 'and' ? one.operands : [one]))
  const [only] = operands
  if (!only) return null
  return operands.length === 1 ? only : { kind: 'and', operands }
}
