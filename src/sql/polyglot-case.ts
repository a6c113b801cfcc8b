import type { ParseDialect } from '../core/dialect.ts'
import { mapChildren, mapTree } from './map-tree.ts'
import { nodeOf, type TreeNode, type TreeValue } from './sql-tree.ts'

/** Which names a dialect does not tell apart by case. ClickHouse tells all apart, MySQL and BigQuery tables. */
const foldsColumns = (dialect: ParseDialect): boolean => dialect !== 'clickhouse'
const foldsTables = (dialect: ParseDialect): boolean =>
  foldsColumns(dialect) && dialect !== 'mysql' && dialect !== 'bigquery'

/**
 * A polyglot statement with its names in small letters where the dialect does not tell them apart by case, and
 * without what only says how the text was spelled (`INNER JOIN` for `JOIN`, `AS` before an alias).
 */
export const normalizeCase = (statement: TreeNode, dialect: ParseDialect): TreeNode => {
  const lower = (text: TreeValue | undefined): TreeValue =>
    typeof text === 'string' ? text.toLowerCase() : (text ?? null)
  const name = (value: TreeValue | undefined, of: 'column' | 'table'): TreeValue => {
    const node = nodeOf(value)
    if (node === null) return value ?? null
    // A quoted name may be text in SQLite, and is exact elsewhere.
    const folds = node.quoted !== true && (of === 'table' ? foldsTables(dialect) : foldsColumns(dialect))
    return { ...node, name: folds ? lower(node.name) : (node.name ?? null), span: null }
  }
  const change = (node: TreeNode, key: string): TreeValue | undefined => {
    const [column, label] = [nodeOf(node.column), nodeOf(node.alias)]
    if (column !== null)
      return { column: mapChildren({ ...column, name: name(column.name, 'column') }, change) }
    // An alias is the name of a result where it is a node, and of a table where it is a part of one.
    if (label?.this !== undefined)
      return {
        alias: mapChildren({ ...label, alias: name(label.alias, 'column'), ...fixedSpelling(label) }, change),
      }
    if (isName(node)) return name(node, tableParts.has(key) ? 'table' : 'column')
    const call = nodeOf(node.function) ?? nodeOf(node.aggregate_function)
    if (call !== null && foldsColumns(dialect)) {
      const kind = node.function === undefined ? 'aggregate_function' : 'function'
      return { [kind]: mapChildren({ ...call, name: lower(call.name) }, change) }
    }
    const spelled = Object.keys(node).filter(part => spellings.test(part) && node[part] !== null)
    if (spelled.length === 0) return undefined
    const plain = spelled.map(
      part => [part, typeof node[part] === 'string' ? lower(node[part]) : node[part]] as const,
    )
    return mapChildren({ ...node, ...Object.fromEntries(plain), ...fixedSpelling(node) }, change)
  }
  return mapTree(statement, change) as TreeNode
}

const isName = (node: TreeNode): boolean =>
  node.quoted !== undefined && node.name !== undefined && node.args === undefined

const tableParts = new Set(['name', 'schema', 'catalog', 'table', 'alias'])

const spellings = /^(?:original_name|alias_explicit_as|alias_keyword|\w*_text|use_\w+|outer_keyword)$/

const fixedSpelling = (node: TreeNode): TreeNode => ({
  ...(node.alias_explicit_as === undefined ? {} : { alias_explicit_as: true }),
  ...(node.alias_keyword === undefined ? {} : { alias_keyword: null }),
  ...(node.use_inner_keyword === undefined ? {} : { use_inner_keyword: false }),
  ...(node.use_outer_keyword === undefined ? {} : { use_outer_keyword: false }),
})
