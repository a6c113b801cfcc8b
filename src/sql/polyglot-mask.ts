import { mapChildren, mapTree } from './map-tree.ts'
import { listOf, nodeOf, type TreeNode, type TreeValue } from './sql-tree.ts'

/** A polyglot statement with every name as `_` and every literal as `?`, and without aliases. */
export const maskPolyglot = (statement: TreeNode): TreeNode =>
  mapTree(statement, maskPolyglotNode) as TreeNode

const maskPolyglotNode = (node: TreeNode): TreeValue | undefined => {
  if (node.literal !== undefined) return polyglotPlaceholder
  const label = nodeOf(node.alias)
  // As a node an alias names a result; as a part of a source it is dropped below.
  if (label?.this !== undefined) return mapTree(label.this, maskPolyglotNode)
  const column = nodeOf(node.column)
  if (column !== null) return { column: { ...column, name: polyglotMaskedName, table: null } }
  const star = nodeOf(node.star)
  if (star !== null) return { star: { ...mapChildren(star, maskPolyglotNode), table: null } }
  const list = nodeOf(node.in)
  if (
    list !== null &&
    listOf(list.expressions).length > 0 &&
    listOf(list.expressions).every(isPolyglotLiteral)
  )
    return { in: { ...mapChildren(list, maskPolyglotNode), expressions: [polyglotPlaceholder] } }
  for (const kind of ['table', 'subquery']) {
    const source = nodeOf(node[kind])
    if (source === null || Object.keys(node).length > 1) continue
    const unnamed = { schema: null, catalog: null, alias: null, column_aliases: [] }
    const kept = Object.keys(unnamed).filter(part => source[part] !== undefined)
    const dropped = Object.fromEntries(kept.map(part => [part, unnamed[part as keyof typeof unnamed]]))
    return { [kind]: mapChildren({ ...source, ...dropped }, maskPolyglotNode) }
  }
  const isName = node.quoted !== undefined && node.name !== undefined && node.args === undefined
  return isName ? { ...node, ...polyglotMaskedName } : undefined
}

const isPolyglotLiteral = (value: TreeValue): boolean => nodeOf(value)?.literal !== undefined

const polyglotPlaceholder: TreeNode = { literal: { literal_type: 'number', value: '?' } }
const polyglotMaskedName: TreeNode = { name: '_', quoted: false, trailing_comments: [], span: null }
