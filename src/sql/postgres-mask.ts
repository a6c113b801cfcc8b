import { mapChildren, mapTree } from './map-tree.ts'
import { listOf, nodeOf, type TreeNode, type TreeValue } from './sql-tree.ts'

/** What a masked literal is written as; `'?'` cannot be told from it and need not be. */
export const maskedLiteral = "'?'"

/** A Postgres statement with every name as `_` and every literal as `'?'`, and without aliases. */
export const maskPostgres = (statement: TreeNode): TreeNode => mapTree(statement, mask) as TreeNode

const mask = (node: TreeNode, key: string): TreeValue | undefined => {
  const constant = nodeOf(node.A_Const)
  if (constant !== null) return isLiteral(node) ? anyLiteral : node
  const column = nodeOf(node.ColumnRef)
  if (column !== null) {
    const last = listOf(column.fields).at(-1)
    return {
      ColumnRef: { ...column, fields: [nodeOf(last)?.A_Star === undefined ? anyName : (last ?? null)] },
    }
  }
  const target = nodeOf(node.ResTarget)
  if (target !== null) return { ResTarget: mapChildren({ ...target, name: null }, mask) }
  const table = nodeOf(node.RangeVar)
  if (table !== null) return { RangeVar: { inh: table.inh ?? null, relname: '_', relpersistence: 'p' } }
  if (key === 'alias') return { aliasname: '_' }
  const cte = nodeOf(node.CommonTableExpr)
  if (cte !== null)
    return { CommonTableExpr: mapChildren({ ...cte, ctename: '_', aliascolnames: null }, mask) }
  if (key === 'usingClause') return anyName
  const expression = nodeOf(node.A_Expr)
  const items = listOf(nodeOf(nodeOf(expression?.rexpr)?.List)?.items)
  if (expression?.kind === 'AEXPR_IN' && items.length > 0 && items.every(isLiteral))
    return { A_Expr: mapChildren({ ...expression, rexpr: { List: { items: [anyLiteral] } } }, mask) }
  return undefined
}

/** NULL, true and false are part of the shape. */
const isLiteral = (value: TreeValue): boolean => {
  const constant = nodeOf(nodeOf(value)?.A_Const)
  return constant !== null && constant.isnull === undefined && constant.boolval === undefined
}

const anyLiteral: TreeNode = { A_Const: { sval: { sval: '?' } } }
const anyName: TreeNode = { String: { sval: '_' } }
