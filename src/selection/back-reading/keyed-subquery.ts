import type { Table } from '../../core/catalog.ts'
import type { Expression, QueryTree } from '../../sql/query-tree/query-tree.ts'
import { innerScope, type NameScope, resolveName } from './names.ts'

/**
 * Whether `x IN (SELECT y ...)` asks for rows that have partners: x is its table's key, and y a column of one other
 * table that is not grouped. Null where it does not, else the table of x.
 */
export const keyedSubquery = (
  operand: Expression,
  query: QueryTree,
  names: NameScope,
): { readonly table: Table } | null => {
  if (
    operand.kind !== 'column' ||
    query.kind !== 'select' ||
    query.groupBy.length > 0 ||
    query.limit !== null
  )
    return null
  const outer = resolveName(operand, names)
  const inside = innerScope(query, names)
  const [output, ...others] = query.outputs
  if (output?.expression.kind !== 'column' || others.length > 0 || inside.sources.length !== 1) return null
  const inner = resolveName(output.expression, inside)
  if (outer.kind !== 'column' || inner.kind !== 'column' || outer.table === inner.table) return null
  const { primaryKey } = outer.table
  return primaryKey.length === 1 && primaryKey[0] === outer.column.name ? { table: outer.table } : null
}
