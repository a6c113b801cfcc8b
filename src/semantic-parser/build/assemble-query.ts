import { stemWord } from '../../lib/stem-word.ts'
import type { Expression } from '../../sql/render/expression.ts'
import type { OrderItem, SelectItem, SelectQuery } from '../../sql/render/select-query.ts'
import { type Frame, isMeasure, type Measure, type Output } from '../frame/frame.ts'
import type { Features } from '../rank/features.ts'
import type { ColumnEntry, TableEntry } from '../schema/schema-index.ts'
import { columnExpression, momentType, tableSource } from './column-expression.ts'
import { allOf } from './condition-expression.ts'
import { joinExpression } from './join-expression.ts'
import type { JoinTree } from './join-tree.ts'
import { measureAlias } from './measure-alias.ts'
import { simpleQuery } from './simple-query.ts'

interface Assembled {
  readonly query: SelectQuery
  readonly features: Features
}

/** How rows are counted (once each or as joined), and how an order by a column of many rows is meant. */
interface Way {
  readonly distinct: boolean
  readonly orderBy: 'sum' | 'avg' | null
}

/** Puts the clauses together for one join tree; several ways where rows may be counted as they are or once each. */
export const assembleQuery = (
  frame: Frame,
  entity: TableEntry,
  tree: JoinTree,
  repeated: ReadonlySet<number>,
  memberships: readonly Expression[],
  timeZone: string,
): readonly Assembled[] => {
  const measures = [
    ...frame.outputs.flatMap(output => (output.kind === 'measure' ? [output.measure] : [])),
    ...frame.havings.map(having => having.measure),
    ...frame.orders.flatMap(order => (isMeasure(order.by) ? [order.by] : [])),
  ]
  const countsRepeated = measures.some(
    measure =>
      measure.fn === 'count' && measure.column === null && measure.table && repeated.has(measure.table.id),
  )
  const [order, ...furtherOrders] = frame.orders
  const sumsOrder =
    order !== undefined &&
    furtherOrders.length === 0 &&
    !isMeasure(order.by) &&
    order.by.table !== entity &&
    repeated.has(entity.id) &&
    order.by.traits.numeric &&
    order.by.column.kind !== 'text'
  const ways: Way[] = [{ distinct: false, orderBy: null }]
  if (countsRepeated) ways.push({ distinct: true, orderBy: null })
  if (sumsOrder) ways.push({ distinct: false, orderBy: 'sum' }, { distinct: false, orderBy: 'avg' })
  return ways
    .map(way =>
      assembleOne(frame, entity, tree, repeated, memberships, timeZone, {
        ...way,
        countsRepeated,
        sumsOrder,
      }),
    )
    .filter(assembled => isSound(assembled.query) && !countsOnes(assembled.query, tree))
}

/** Rows of one table grouped by its own key: every group is one row, and counting them says nothing. */
const countsOnes = (query: SelectQuery, tree: JoinTree): boolean => {
  const [key, ...others] = tree.root.primaryKey
  if (!key || others.length > 0 || tree.joins.length > 0) return false
  return query.groupBy.some(one => one.kind === 'column' && one.name === key.column.name)
}

/**
 * Whether a database can run it: next to an aggregate everything shown or sorted by is aggregated, too, or a key.
 * SQLite would pick any row instead of complaining, which is worse.
 */
const isSound = (query: SelectQuery): boolean => {
  if (query.groupBy.length > 0) return true
  const isAggregate = (expression: Expression): boolean => expression.kind === 'aggregate'
  const used = [...query.items, ...query.orderBy].map(item => item.expression)
  return !(query.having || used.some(isAggregate)) || used.every(isAggregate)
}

const assembleOne = (
  frame: Frame,
  entity: TableEntry,
  tree: JoinTree,
  repeated: ReadonlySet<number>,
  memberships: readonly Expression[],
  timeZone: string,
  way: Way & { readonly countsRepeated: boolean; readonly sumsOrder: boolean },
): Assembled => {
  const qualified = tree.joins.length > 0
  const column = (entry: ColumnEntry): Expression => columnExpression(entry, qualified)
  const measured = (measure: Measure): Expression => {
    const key = measure.table?.primaryKey
    const once =
      way.distinct && measure.table && repeated.has(measure.table.id) && key?.length === 1 && key[0]
    const argument: Expression = measure.column
      ? column(measure.column)
      : once
        ? column(once)
        : { kind: 'star', table: null }
    return {
      kind: 'aggregate',
      fn: measure.fn,
      argument,
      distinct: measure.column ? measure.distinct && !isKeyOf(measure.column, repeated) : Boolean(once),
    }
  }
  const unit = (output: {
    column: ColumnEntry
    unit: 'day' | 'week' | 'month' | 'quarter' | 'year'
  }): Expression => ({
    kind: 'truncate',
    unit: output.unit,
    argument: column(output.column),
    type: momentType(output.column),
    timeZone,
  })
  const item = (output: Output): SelectItem => {
    switch (output.kind) {
      case 'all':
        return {
          expression: qualified && output.table ? allOfTable(output.table) : { kind: 'star', table: null },
          alias: null,
        }
      case 'column':
        return { expression: column(output.column), alias: null }
      case 'unit':
        return { expression: unit(output), alias: output.unit }
      case 'measure':
        return {
          expression: measured(output.measure),
          alias: measureAlias(output.measure, entity.table.name),
        }
    }
  }
  const orders = frame.orders.map((order): OrderItem => {
    const by: ColumnEntry | Measure =
      way.orderBy && !isMeasure(order.by) && order.by.table !== entity
        ? { fn: way.orderBy, column: order.by, table: order.by.table, distinct: false }
        : order.by
    return isMeasure(by)
      ? { expression: measured(by), direction: order.direction, nullable: by.fn !== 'count' }
      : { expression: column(by), direction: order.direction, nullable: by.column.nullable }
  })
  const grouping = groupKeys(frame, repeated, way.orderBy !== null)
  const keys = grouping.keys.map(key =>
    key.unit ? unit({ column: key.column, unit: key.unit }) : column(key.column),
  )
  const units = frame.groups.filter(group => group.unit !== null)
  const timeOrder: OrderItem[] =
    orders.length > 0
      ? []
      : units.flatMap(group =>
          group.unit
            ? [
                {
                  expression: unit({ column: group.column, unit: group.unit }),
                  direction: 'asc',
                  nullable: false,
                },
              ]
            : [],
        )
  const havings = frame.havings.map(
    (having): Expression =>
      having.high === null
        ? {
            kind: 'compare',
            operator: having.operator,
            left: measured(having.measure),
            right: { kind: 'literal', value: having.number },
          }
        : {
            kind: 'between',
            argument: measured(having.measure),
            low: { kind: 'literal', value: having.number },
            high: { kind: 'literal', value: having.high },
            negated: false,
          },
  )
  const where = together([
    ...flatten(allOf(frame.conditions, qualified, timeZone)),
    ...memberships.map(one => unqualified(one, qualified)),
  ])
  const aggregates = frame.outputs.some(output => output.kind === 'measure')
  const plain = keys.length === 0 && !aggregates
  const repeats = frame.outputs.some(
    output => output.kind === 'column' && repeated.has(output.column.table.id),
  )
  const mayBeDistinct = frame.orders.every(
    order =>
      !isMeasure(order.by) &&
      frame.outputs.some(output => output.kind === 'column' && output.column === order.by),
  )
  const distinct = plain && mayBeDistinct && (frame.distinct || (repeats && frame.limit === null))
  return {
    query: simpleQuery({
      distinct,
      items: frame.outputs.map(item),
      from: tableSource(tree.root),
      joins: tree.joins.map(joinExpression),
      where,
      groupBy: keys,
      having: together(havings),
      orderBy: [...orders, ...timeOrder],
      limit: frame.limit,
    }),
    features: [
      ['count.onceEach', way.distinct ? 1 : 0],
      ['count.asJoined', way.countsRepeated && !way.distinct ? 1 : 0],
      ...(way.sumsOrder ? orderFeatures(frame, way) : []),
      ['group.implied', grouping.implied ? 1 : 0],
      ['group.none', keys.length === 0 ? 1 : 0],
      ...misfits(frame, repeated, keys.length > 0),
    ],
  }
}

const rated = new Set(
  ['rating', 'score', 'star', 'grade', 'satisfaction', 'review', 'point', 'rank'].map(stemWord),
)

const orderFeatures = (frame: Frame, { orderBy }: Way): Features => {
  const many = frame.limit === null ? 'all' : frame.limit > 1 ? 'many' : 'one'
  if (!orderBy) return [[`order.asJoined.${many}`, 1]]
  const ratings = frame.orders.some(
    order => !isMeasure(order.by) && order.by.words.some(word => word.stems.some(stem => rated.has(stem))),
  )
  const way = orderBy === 'sum' ? 'order.summed' : 'order.averaged'
  return [
    [way, 1],
    [`${way}.${ratings ? 'rating' : 'amount'}`, 1],
    [`${way}.${many}`, 1],
  ]
}

/** Signs that the parts do not belong together. */
const misfits = (frame: Frame, repeated: ReadonlySet<number>, grouped: boolean): Features => {
  const sums = frame.outputs.filter(
    output =>
      output.kind === 'measure' &&
      output.measure.column &&
      (output.measure.fn === 'sum' || output.measure.fn === 'avg') &&
      repeated.has(output.measure.column.table.id),
  )
  return [
    ['odd.sumRepeated', sums.length],
    [
      'odd.limitOfOne',
      !grouped && frame.limit !== null && frame.outputs.every(one => one.kind === 'measure') ? 1 : 0,
    ],
    ['odd.twoOrders', Math.max(0, frame.orders.length - 1)],
    ['odd.manyOutputs', Math.max(0, frame.outputs.length - 4)],
    [
      'odd.outputTables',
      Math.max(
        0,
        new Set(frame.outputs.flatMap(one => (one.kind === 'column' ? [one.column.table.id] : []))).size - 1,
      ),
    ],
    ['odd.havingOne', frame.havings.length > 0 && frame.outputs.every(one => one.kind === 'measure') ? 1 : 0],
  ]
}

/** What the rows are grouped by: what was asked for; else, next to a measure, what is shown (by its key where it has one). */
const groupKeys = (
  frame: Frame,
  repeated: ReadonlySet<number>,
  sumsOrder: boolean,
): {
  readonly keys: readonly {
    column: ColumnEntry
    unit: 'day' | 'week' | 'month' | 'quarter' | 'year' | null
  }[]
  readonly implied: boolean
} => {
  const shown = frame.outputs.flatMap(output => (output.kind === 'column' ? [output.column] : []))
  const whole = frame.outputs.flatMap(output => (output.kind === 'all' && output.table ? [output.table] : []))
  const measured =
    frame.outputs.some(output => output.kind === 'measure') ||
    frame.havings.length > 0 ||
    sumsOrder ||
    frame.orders.some(order => isMeasure(order.by))
  const explicit = frame.groups.flatMap(group => {
    const [key] = group.entity?.primaryKey ?? []
    const own = { column: group.column, unit: group.unit }
    return key && group.entity?.primaryKey.length === 1 ? [{ column: key, unit: null }, own] : [own]
  })
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

const impliedKeys = (
  shown: readonly ColumnEntry[],
  whole: readonly TableEntry[],
  repeated: ReadonlySet<number>,
): readonly { column: ColumnEntry; unit: null }[] => {
  const table = shown[0]?.table ?? whole[0]
  const [key, ...others] = table?.primaryKey ?? []
  const needed = table !== undefined && (repeated.has(table.id) || shown.length === 0)
  return needed && key && others.length === 0 ? [{ column: key, unit: null }] : []
}

/** Counting the values of a key that is unique where it stands is counting rows. */
const isKeyOf = (column: ColumnEntry, repeated: ReadonlySet<number>): boolean =>
  column.table.primaryKey.length === 1 &&
  column.table.primaryKey[0] === column &&
  !repeated.has(column.table.id)

const allOfTable = (table: TableEntry): Expression => ({ kind: 'star', table: table.table.name })

const flatten = (expression: Expression | null): readonly Expression[] =>
  expression === null ? [] : expression.kind === 'and' ? expression.parts : [expression]

const together = (parts: readonly Expression[]): Expression | null => {
  const [only] = parts
  if (!only) return null
  return parts.length === 1 ? only : { kind: 'and', parts }
}

/** In a query over one table the outer side of a membership needs no table name. */
const unqualified = (expression: Expression, qualified: boolean): Expression =>
  !qualified && expression.kind === 'in' && expression.argument.kind === 'column'
    ? { ...expression, argument: { ...expression.argument, table: null } }
    : expression
