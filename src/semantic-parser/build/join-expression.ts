import type { Expression } from '../../sql/render/expression.ts'
import type { Join } from '../../sql/render/select-query.ts'
import { columnExpression, tableSource } from './column-expression.ts'
import type { TreeJoin } from './join-tree.ts'

/** A join of the tree as SQL, on all columns of its key. */
export const joinExpression = ({ edge, table }: TreeJoin): Join => {
  const parts = edge.from.flatMap((from, index): Expression[] => {
    const to = edge.to[index]
    if (!to) return []
    const [left, right] = to.table === table ? [from, to] : [to, from]
    return [
      {
        kind: 'compare',
        operator: '=',
        left: columnExpression(left, true),
        right: columnExpression(right, true),
      },
    ]
  })
  const [only] = parts
  return {
    table: tableSource(table),
    kind: 'inner',
    on: parts.length === 1 && only ? only : { kind: 'and', parts },
  }
}
