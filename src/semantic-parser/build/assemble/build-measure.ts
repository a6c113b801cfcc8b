import type { Expression } from '../../../sql/render/expression.ts'
import type { Measure } from '../../frame/frame.ts'
import type { ColumnEntry } from '../../schema/schema-index.ts'
import { columnExpression } from '../column-expression.ts'
import type { CountingWay } from './counting-ways.ts'

/** Renders a measure for one join tree and way of counting. */
export type MeasureExpression = (measure: Measure) => Expression

/** Rows that the joins repeat are counted by their key where the way is to count each once. */
export const makeMeasureExpression =
  (way: CountingWay, repeated: ReadonlySet<number>, qualified: boolean): MeasureExpression =>
  ({ fn, column, table, distinct }) => {
    if (column) {
      const argument = columnExpression(column, qualified)
      return { kind: 'aggregate', fn, argument, distinct: distinct && !isKeyOf(column, repeated) }
    }
    const [key, ...others] = table?.primaryKey ?? []
    const once = way.distinct && table && repeated.has(table.id) && others.length === 0 && key
    return once
      ? { kind: 'aggregate', fn, argument: columnExpression(once, qualified), distinct: true }
      : { kind: 'aggregate', fn, argument: { kind: 'star', table: null }, distinct: false }
  }

/** Counting the values of a key that is unique where it stands is counting rows. */
const isKeyOf = (column: ColumnEntry, repeated: ReadonlySet<number>): boolean =>
  column.table.primaryKey.length === 1 &&
  column.table.primaryKey[0] === column &&
  !repeated.has(column.table.id)
