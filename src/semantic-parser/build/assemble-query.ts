import type { Expression } from '../../sql/render/expression.ts'
import type { SelectQuery } from '../../sql/render/select-query.ts'
import type { Frame } from '../frame/frame.ts'
import type { Features } from '../rank/features.ts'
import type { TableEntry } from '../schema/schema-index.ts'
import { makeMeasureExpression } from './assemble/build-measure.ts'
import { makeDateUnitExpression } from './assemble/build-unit.ts'
import { type CountingWay, type CountingWays, countingWays } from './assemble/counting-ways.ts'
import { type Grouping, groupKeys } from './assemble/group-keys.ts'
import { havingExpression } from './assemble/having-expression.ts'
import { isSensible } from './assemble/is-sensible.ts'
import { mismatchFeatures } from './assemble/misfits.ts'
import { orderFeatures } from './assemble/order-features.ts'
import { orderItems } from './assemble/order-items.ts'
import { selectItem } from './assemble/select-item.ts'
import { showsDistinct } from './assemble/shows-distinct.ts'
import { columnExpression, tableSource } from './column-expression.ts'
import { allOf } from './condition-expression.ts'
import { combineWithAnd } from './conjunction.ts'
import { joinExpression } from './join-expression.ts'
import type { JoinTree } from './join-tree.ts'
import { simpleQuery } from './simple-query.ts'

interface Assembled {
  readonly query: SelectQuery
  readonly features: Features
}

/** What the clauses are put together from. */
interface Parts {
  readonly frame: Frame
  readonly entity: TableEntry
  readonly tree: JoinTree
  /** Ids of the tables whose rows the joins of `tree` repeat. */
  readonly repeated: ReadonlySet<number>
  /** Conditions that stand in WHERE beside those of the frame. */
  readonly memberships: readonly Expression[]
  readonly timeZone: string
}

/** Puts the clauses together for one join tree; several ways where rows may be counted as they are or once each. */
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
): SelectQuery => {
  const qualified = tree.joins.length > 0
  const measure = makeMeasureExpression(way, repeated, qualified)
  const unit = makeDateUnitExpression(qualified, timeZone)
  const conditions = allOf(frame.conditions, qualified, timeZone)
  const aggregates = frame.outputs.some(output => output.kind === 'measure')
  return simpleQuery({
    distinct: keys.length === 0 && !aggregates && showsDistinct(frame, repeated),
    items: frame.outputs.map(output => selectItem(output, { entity, qualified, measure, unit })),
    from: tableSource(tree.root),
    joins: tree.joins.map(joinExpression),
    where: combineWithAnd([
      ...(conditions ? [conditions] : []),
      ...memberships.map(one => unqualified(one, qualified)),
    ]),
    groupBy: keys.map(key =>
      key.unit ? unit({ column: key.column, unit: key.unit }) : columnExpression(key.column, qualified),
    ),
    having: combineWithAnd(frame.havings.map(having => havingExpression(having, measure))),
    orderBy: orderItems(frame, { entity, orderBy: way.orderBy, qualified, measure, unit }),
    limit: frame.limit,
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

/** In a query over one table the outer side of a membership needs no table name. */
const unqualified = (expression: Expression, qualified: boolean): Expression =>
  !qualified && expression.kind === 'in' && expression.argument.kind === 'column'
    ? { ...expression, argument: { ...expression.argument, table: null } }
    : expression
