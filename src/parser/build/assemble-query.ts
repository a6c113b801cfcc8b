import { literalOf, selectOf, tableSource } from '../../sql/tree/compose-query.ts'
import type { DateUnit, Expression, SelectTree } from '../../sql/tree/query-tree.ts'
import { type Frame, isMeasure } from '../frame.ts'
import type { Features } from '../rank/model.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'
import { allOf } from './conditions.ts'
import {
  type CountingWay,
  type CountingWays,
  columnExpression,
  combineWithAnd,
  countingWays,
  makeDateUnitExpression,
  makeMeasureExpression,
} from './expressions.ts'
import { type JoinTree, joinExpression } from './join-tree.ts'
import { havingExpression, orderFeatures, orderItems, selectItem } from './query-clauses.ts'

interface Assembled {
  readonly query: SelectTree
  readonly features: Features
}

/** The inputs of the clauses. */
interface Parts {
  readonly frame: Frame
  readonly entity: TableEntry
  readonly tree: JoinTree
  /** Ids of the tables whose rows the joins of `tree` repeat. */
  readonly repeated: ReadonlySet<number>
  /** Conditions in WHERE in addition to those of the frame. */
  readonly memberships: readonly Expression[]
  readonly timeZone: string
}

/** Builds the query for one join tree; several queries if rows may be counted as they are or once each. */
export const assembleQuery = (parts: Parts): readonly Assembled[] => {
  const { frame, entity, tree, repeated } = parts
  const counting = countingWays(frame, entity, repeated)
  return counting.ways
    .map(way => {
      const grouping = groupKeys(frame, repeated, way.orderBy !== null)
      return {
        query: queryOf(parts, way, grouping),
        features: featuresOf(parts, way, counting, grouping),
      }
    })
    .filter(({ query }) => isSensible(query, tree))
}

const queryOf = (
  { frame, entity, tree, repeated, memberships, timeZone }: Parts,
  way: CountingWay,
  { keys }: Grouping,
): SelectTree => {
  const qualified = tree.joins.length > 0
  const measure = makeMeasureExpression(way, repeated, qualified)
  const unit = makeDateUnitExpression(qualified, timeZone)
  const conditions = allOf(frame.conditions, qualified, timeZone)
  const aggregates = frame.outputs.some(output => output.kind === 'measure')
  return selectOf({
    distinct: keys.length === 0 && !aggregates && showsDistinct(frame, repeated),
    outputs: frame.outputs.map(output => selectItem(output, { entity, qualified, measure, unit })),
    from: [tableSource(tree.root.table), ...tree.joins.map(joinExpression)],
    where: combineWithAnd([
      ...(conditions ? [conditions] : []),
      ...memberships.map(one => unqualified(one, qualified)),
    ]),
    groupBy: keys.map(key =>
      key.unit ? unit({ column: key.column, unit: key.unit }) : columnExpression(key.column, qualified),
    ),
    having: combineWithAnd(frame.havings.map(having => havingExpression(having, measure))),
    orderBy: orderItems(frame, { entity, orderBy: way.orderBy, qualified, measure, unit }),
    limit: frame.limit === null ? null : literalOf(Math.max(0, Math.trunc(frame.limit))),
  })
}

const featuresOf = (
  { frame, repeated }: Parts,
  way: CountingWay,
  { countsRepeated, sumsOrder }: CountingWays,
  { keys, implied }: Grouping,
): Features => [
  ['count.onceEach', way.distinct ? 1 : 0],
  ['count.asJoined', countsRepeated && !way.distinct ? 1 : 0],
  ...(sumsOrder ? orderFeatures(frame, way) : []),
  ['group.implied', implied ? 1 : 0],
  ['group.none', keys.length === 0 ? 1 : 0],
  ...mismatchFeatures(frame, repeated, keys.length > 0),
]

/** In a query over one table, the outer side of a membership needs no table name. */
const unqualified = (expression: Expression, qualified: boolean): Expression =>
  !qualified && expression.kind === 'in' && expression.operand.kind === 'column'
    ? { ...expression, operand: { ...expression.operand, qualifier: null } }
    : expression

/** A grouping: a column, or the unit of time of its date. */
interface Key {
  readonly column: ColumnEntry
  readonly unit: DateUnit | null
}

/** What rows are grouped by; `implied` if the question did not say so. Without keys there are no groups. */
interface Grouping {
  readonly keys: readonly Key[]
  readonly implied: boolean
}

/** The groupings: those that were asked for; else, next to a measure, what is shown (by its key if it has one). */
const groupKeys = (frame: Frame, repeated: ReadonlySet<number>, sumsOrder: boolean): Grouping => {
  const shown = frame.outputs.flatMap(output => (output.kind === 'column' ? [output.column] : []))
  const whole = frame.outputs.flatMap(output => (output.kind === 'all' && output.table ? [output.table] : []))
  const measured =
    frame.outputs.some(output => output.kind === 'measure') ||
    frame.havings.length > 0 ||
    sumsOrder ||
    frame.orders.some(order => isMeasure(order.by))
  const explicit = explicitKeys(frame)
  if (explicit.length === 0 && (!measured || (shown.length === 0 && whole.length === 0))) {
    return { keys: [], implied: false }
  }
  const implied = explicit.length > 0 ? [] : impliedKeys(shown, whole, repeated)
  const ordered = frame.orders.flatMap(order =>
    !isMeasure(order.by) && !sumsOrder && (explicit.length > 0 || measured) ? [order.by] : [],
  )
  const all = [...explicit, ...implied, ...[...shown, ...ordered].map(column => ({ column, unit: null }))]
  const keys = all.filter(
    (key, index) => all.findIndex(other => other.column === key.column && other.unit === key.unit) === index,
  )
  return { keys, implied: explicit.length === 0 }
}

/** The groupings that were asked for, each after the key of the row that it names. */
const explicitKeys = (frame: Frame): readonly Key[] =>
  frame.groups.flatMap(({ column, unit, entity }): readonly Key[] => {
    const own = { column, unit }
    const [key, ...others] = entity?.primaryKey ?? []
    return key && others.length === 0 ? [{ column: key, unit: null }, own] : [own]
  })

const impliedKeys = (
  shown: readonly ColumnEntry[],
  whole: readonly TableEntry[],
  repeated: ReadonlySet<number>,
): readonly Key[] => {
  const table = shown[0]?.table ?? whole[0]
  const [key, ...others] = table?.primaryKey ?? []
  const needed = table !== undefined && (repeated.has(table.id) || shown.length === 0)
  return needed && key && others.length === 0 ? [{ column: key, unit: null }] : []
}

/**
 * Whether ungrouped rows are shown once each: if that was asked for, or if joins repeat what is shown and no number
 * of rows was named. Never if rows are sorted by something that is not shown, which databases reject.
 */
const showsDistinct = (frame: Frame, repeated: ReadonlySet<number>): boolean => {
  const repeats = frame.outputs.some(
    output => output.kind === 'column' && repeated.has(output.column.table.id),
  )
  const sortsByShown = frame.orders.every(
    order =>
      !isMeasure(order.by) &&
      frame.outputs.some(output => output.kind === 'column' && output.column === order.by),
  )
  return sortsByShown && (frame.distinct || (repeats && frame.limit === null))
}

/** Whether any database can run the query, and it says something. */
const isSensible = (query: SelectTree, tree: JoinTree): boolean =>
  isValidGrouping(query) && !countsSingleRows(query, tree)

/**
 * Whether a database can run the query: next to an aggregate, everything shown or sorted by must be aggregated or a
 * key. SQLite would silently pick any row, which is worse than an error.
 */
const isValidGrouping = (query: SelectTree): boolean => {
  if (query.groupBy.length > 0) return true
  const isAggregate = (expression: Expression): boolean => expression.kind === 'aggregate'
  const used = [...query.outputs, ...query.orderBy].map(one => one.expression)
  return !(query.having || used.some(isAggregate)) || used.every(isAggregate)
}

/** Whether rows of one table are grouped by its own key: every group is one row, so counting says nothing. */
const countsSingleRows = (query: SelectTree, tree: JoinTree): boolean => {
  const [key, ...others] = tree.root.primaryKey
  if (!key || others.length > 0 || tree.joins.length > 0) return false
  return query.groupBy.some(one => one.kind === 'column' && one.name === key.column.name)
}

/** Features of parts that do not fit together. */
const mismatchFeatures = (frame: Frame, repeated: ReadonlySet<number>, grouped: boolean): Features => {
  const sums = frame.outputs.filter(
    output =>
      output.kind === 'measure' &&
      output.measure.column &&
      (output.measure.fn === 'sum' || output.measure.fn === 'avg') &&
      repeated.has(output.measure.column.table.id),
  )
  const onlyMeasures = frame.outputs.every(output => output.kind === 'measure')
  const tables = new Set(
    frame.outputs.flatMap(output => (output.kind === 'column' ? [output.column.table.id] : [])),
  )
  return [
    ['odd.sumRepeated', sums.length],
    ['odd.limitOfOne', !grouped && frame.limit !== null && onlyMeasures ? 1 : 0],
    ['odd.twoOrders', Math.max(0, frame.orders.length - 1)],
    ['odd.manyOutputs', Math.max(0, frame.outputs.length - 4)],
    ['odd.outputTables', Math.max(0, tables.size - 1)],
    ['odd.havingOne', frame.havings.length > 0 && onlyMeasures ? 1 : 0],
  ]
}
