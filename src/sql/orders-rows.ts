import type { ParseDialect } from '../core/dialect.ts'
import { parseSql } from './parse-sql.ts'
import { listOf, nodeOf, type TreeNode } from './sql-tree.ts'

/**
 * Does the statement order its rows, with an ORDER BY at the top level? One inside a subquery, a window or an
 * aggregate orders nothing that the caller sees. False when the text cannot be parsed.
 */
export const ordersRows = (sql: string, dialect: ParseDialect): boolean => {
  const parsed = parseSql(sql, dialect)
  if (!parsed.ok) return false
  const root = parsed.tree.statements[0]
  if (root === undefined) return false
  return parsed.tree.parser === 'libpg-query'
    ? listOf(nodeOf(root.SelectStmt)?.sortClause).length > 0
    : polyglotOrders(root)
}

const polyglotOrders = (statement: TreeNode): boolean => {
  const [kind, body] = Object.entries(statement)[0] ?? []
  const node = nodeOf(body)
  if (kind === undefined || node === null) return false
  if (listOf(nodeOf(node.order_by)?.expressions).length > 0) return true
  // Brackets around a whole statement change nothing: `(SELECT ... ORDER BY a)`.
  const inner = kind === 'subquery' || kind === 'paren' || kind === 'annotated' ? nodeOf(node.this) : null
  return inner !== null && polyglotOrders(inner)
}
