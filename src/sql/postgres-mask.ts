import { mapChildren, mapTree } from './map-tree.ts'
import { listOf, nodeOf, type TreeNode, type TreeValue } from './sql-tree.ts'

/** What a masked literal is written as; `'?'` cannot be told from it and need not be. */
export const maskedLiteral = "'?'"

/** A Postgres statement with every name as `_` and every literal as `'?'`, and without aliases. */
export const maskPostgres = (statement: TreeNode): TreeNode =>
  mapTree(statement, maskPostgresNode) as TreeNode

const maskPostgresNode = (node: TreeNode, key: string): TreeValue | undefined => {
  const constant = nodeOf(node.A_Const)
  if (constant !== null) return isPostgresLiteral(node) ? postgresPlaceholder : node
  const column = nodeOf(node.ColumnRef)
  if (column !== null) {
    const last = listOf(column.fields).at(-1)
    return {
      ColumnRef: {
        ...column,
        fields: [nodeOf(last)?.A_Star === undefined ? postgresMaskedName : (last ?? null)],
      },
    }
  }
  const target = nodeOf(node.ResTarget)
  if (target !== null) return { ResTarget: mapChildren({ ...target, name: null }, maskPostgresNode) }
  const table = nodeOf(node.RangeVar)
  if (table !== null) return { RangeVar: { inh: table.inh ?? null, relname: '_', relpersistence: 'p' } }
  if (key === 'alias') return { aliasname: '_' }
  const cte = nodeOf(node.CommonTableExpr)
  if (cte !== null)
    return { CommonTableExpr: mapChildren({ ...cte, ctename: '_', aliascolnames: null }, maskPostgresNode) }
  if (key === 'usingClause') return postgresMaskedName
  const expression = nodeOf(node.A_Expr)
  const items = listOf(nodeOf(nodeOf(expression?.rexpr)?.List)?.items)
  if (expression?.kind === 'AEXPR_IN' && items.length > 0 && items.every(isPostgresLiteral))
    return {
      A_Expr: mapChildren(
        { ...expression, rexpr: { List: { items: [postgresPlaceholder] } } },
        maskPostgresNode,
      ),
    }
  return undefined
}

/** NULL, true and false are part of the shape. */
const isPostgresLiteral = (value: TreeValue): boolean => {
  const constant = nodeOf(nodeOf(value)?.A_Const)
  return constant !== null && constant.isnull === undefined && constant.boolval === undefined
}

const postgresPlaceholder: TreeNode = { A_Const: { sval: { sval: '?' } } }
const postgresMaskedName: TreeNode = { String: { sval: '_' } }
