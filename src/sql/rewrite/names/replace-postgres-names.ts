import { deparseSync } from 'pgsql-parser'
import { parsePostgres } from '../../parse/postgres-parser.ts'
import {
  listOf,
  mapChildren,
  mapTree,
  nodeOf,
  originOf,
  type SqlTree,
  type TreeNode,
} from '../../parse/sql-tree.ts'
import type { NameEdits } from './name-edits.ts'

/**
 * Writes a Postgres statement with other names: changes them in the tree, and writes the tree as text. Null if that text
 * is not the same tree to Postgres's own parser.
 */
export const replacePostgresNames = (tree: SqlTree, edits: NameEdits): string | null => {
  const [statement] = tree.statements
  if (statement === undefined) return null
  const changes = changesOf(edits)
  if (changes === null) return null
  const change: Change = node => changes.get(node)?.(node, change)
  const changed = mapTree(statement, change) as TreeNode
  const sql = deparse(changed)
  const again = sql === null ? null : parsePostgres(sql)
  const isSame = again?.ok === true && again.statements.length === 1 && same(again.statements[0], changed)
  return isSame ? sql : null
}

type Change = (node: TreeNode) => TreeNode | undefined

/** What each node of the tree becomes; null if a part of the query was not read from one. */
const changesOf = (
  edits: NameEdits,
): ReadonlyMap<TreeNode, (node: TreeNode, change: Change) => TreeNode> | null => {
  const changes = new Map<TreeNode, (node: TreeNode, change: Change) => TreeNode>()
  let isComplete = true
  const at = (part: object, change: (node: TreeNode, change: Change) => TreeNode): void => {
    const origin = originOf(part)
    if (origin === null) isComplete = false
    else changes.set(origin, change)
  }
  for (const [source, { sql, alias }] of edits.tables)
    at(source, node => {
      const replaced = sourceOf(sql)
      if (replaced === null) throw new Error('a table that cannot be read')
      return withAlias(replaced, alias, nodeOf(nodeOf(node.RangeVar)?.alias))
    })
  for (const [source, alias] of edits.aliases)
    at(source, (node, change) => {
      const [tag, body] = Object.entries(node)[0] ?? ['', undefined]
      return withAlias({ [tag]: mapChildren(nodeOf(body) ?? {}, change) }, alias, nodeOf(nodeOf(body)?.alias))
    })
  for (const [query, name] of edits.queries)
    at(query, (node, change) => ({ ...mapChildren(node, change), ctename: name }))
  for (const [expression, { replaced, qualifier, column }] of edits.columns)
    at(expression, node => {
      const [next, ...rest] = listOf(node.fields).slice(replaced)
      const part = next === undefined ? [] : [column === null ? next : nameNode(column)]
      return { ...node, fields: [nameNode(qualifier), ...part, ...rest] }
    })
  for (const [expression, qualifier] of edits.stars)
    at(expression, node => ({ ...node, fields: [nameNode(qualifier), ...listOf(node.fields).slice(-1)] }))
  return isComplete && edits.listed.size === 0 ? changes : null
}

/** A table or a query in brackets as an item of FROM. */
const sourceOf = (sql: string): TreeNode | null => {
  const parsed = parsePostgres(`SELECT FROM ${sql}${sql.startsWith('(') ? ' AS q' : ''}`)
  const select = parsed.ok ? nodeOf(parsed.statements[0]?.SelectStmt) : null
  const [item, second] = listOf(select?.fromClause)
  return second === undefined ? nodeOf(item) : null
}

const withAlias = (item: TreeNode, alias: string | null, before: TreeNode | null): TreeNode => {
  const [tag, body] = Object.entries(item)[0] ?? ['', undefined]
  const { alias: _alias, ...rest } = nodeOf(body) ?? {}
  return { [tag]: alias === null ? rest : { ...rest, alias: { ...before, aliasname: alias } } }
}

const nameNode = (name: string): TreeNode => ({ String: { sval: name } })

const deparse = (statement: TreeNode): string | null => {
  try {
    return deparseSync(statement as Parameters<typeof deparseSync>[0], { pretty: false }).trim()
  } catch {
    return null
  }
}

const same = (a: TreeNode | undefined, b: TreeNode): boolean =>
  JSON.stringify(withoutPlaces(a)) === JSON.stringify(withoutPlaces(b))

/** A tree without where in the text its parts stand, and with the keys of each node in one order. */
const withoutPlaces = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutPlaces)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key]) =>
          !/(?:^|_)location$|^(?:stmt_len|list_start|list_end|rexpr_list_start|rexpr_list_end)$/.test(key),
      )
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, child]) => [key, withoutPlaces(child)]),
  )
}
