import type { Expression } from '../../sql/render/expression.ts'
import type { Condition } from '../frame/frame.ts'
import type { SchemaIndex, TableEntry } from '../schema/schema-index.ts'
import { columnExpression, tableSource } from './column-expression.ts'
import { allOf } from './condition-expression.ts'
import { combineWithAnd } from './conjunction.ts'
import { joinExpression } from './join-expression.ts'
import { type EdgePreference, joinTrees } from './join-tree.ts'
import { simpleQuery } from './simple-query.ts'

/**
 * `entity.key [NOT] IN (SELECT ... FROM the way to other WHERE conditions)`: whether a row of `entity` has a row of
 * `other` for which the conditions hold. Null where no single-column way leads there, or where a condition compares with
 * a column of a table that is not on the way.
 */
export const membershipExpression = (
  schema: SchemaIndex,
  entity: TableEntry,
  other: TableEntry,
  conditions: readonly Condition[],
  options: { negated: boolean; qualified: boolean; timeZone: string; prefer: EdgePreference },
): Expression | null => {
  const [tree] = joinTrees(schema, [entity, other], options.prefer)
  const [first, ...rest] = tree?.joins ?? []
  if (first?.edge.from.length !== 1) return null
  const forward = first.edge.from[0]?.table === entity
  const outer = forward ? first.edge.from[0] : first.edge.to[0]
  const inner = forward ? first.edge.to[0] : first.edge.from[0]
  if (!outer || !inner) return null
  const within = new Set([
    inner.table,
    ...rest.flatMap(({ edge }) => [...edge.from, ...edge.to].map(({ table }) => table)),
  ])
  if (conditions.some(({ test }) => test.kind === 'compare-column' && !within.has(test.other.table)))
    return null
  const many = rest.length > 0
  const own = allOf(
    conditions.map(condition => ({ ...condition, negated: false })),
    many,
    options.timeZone,
  )
  const selected = columnExpression(inner, many)
  // NOT IN is never true once the list holds a null.
  const notNull: readonly Expression[] =
    options.negated && inner.column.nullable ? [{ kind: 'is-null', argument: selected, negated: true }] : []
  return {
    kind: 'in',
    argument: columnExpression(outer, options.qualified),
    among: simpleQuery({
      items: [{ expression: selected, alias: null }],
      from: tableSource(inner.table),
      joins: rest.map(joinExpression),
      where: combineWithAnd([...(own ? [own] : []), ...notNull]),
    }),
    negated: options.negated,
  }
}
