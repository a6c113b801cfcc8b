import type { Expression } from '../../../sql/render/expression.ts'
import type { SelectQuery } from '../../../sql/render/select-query.ts'
import type { JoinTree } from '../join-tree.ts'

/** Whether a query over a join tree can be run anywhere, and says something. */
export const isSensible = (query: SelectQuery, tree: JoinTree): boolean =>
  isValidGrouping(query) && !countsSingleRows(query, tree)

/**
 * Whether a database can run it: next to an aggregate everything shown or sorted by is aggregated, too, or a key.
 * SQLite would pick any row instead of complaining, which is worse.
 */
const isValidGrouping = (query: SelectQuery): boolean => {
  if (query.groupBy.length > 0) return true
  const isAggregate = (expression: Expression): boolean => expression.kind === 'aggregate'
  const used = [...query.items, ...query.orderBy].map(item => item.expression)
  return !(query.having || used.some(isAggregate)) || used.every(isAggregate)
}

/** Rows of one table grouped by its own key: every group is one row, and counting them says nothing. */
const countsSingleRows = (query: SelectQuery, tree: JoinTree): boolean => {
  const [key, ...others] = tree.root.primaryKey
  if (!key || others.length > 0 || tree.joins.length > 0) return false
  return query.groupBy.some(one => one.kind === 'column' && one.name === key.column.name)
}
