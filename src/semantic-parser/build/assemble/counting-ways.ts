import { type Frame, isMeasure, type Measure } from '../../frame/frame.ts'
import type { TableEntry } from '../../schema/schema-index.ts'

/** How rows are counted (once each or as joined), and how an order by a column of many rows is meant. */
export interface CountingWay {
  readonly distinct: boolean
  readonly orderBy: 'sum' | 'avg' | null
}

/** The ways that a frame over one join tree can be counted in, and what makes them several. */
export interface CountingWays {
  readonly ways: readonly CountingWay[]
  /** Rows of a table are counted that the joins repeat. */
  readonly countsRepeated: boolean
  /** The order is by a number of another table, of which there may be several for one of the entity. */
  readonly sumsOrder: boolean
}

/** One way where joining repeats nothing that is counted or sorted by; else each way that can be meant. */
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
