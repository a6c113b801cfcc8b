import { nodeOf, type SqlTree, type TreeNode, type TreeValue, textOf } from '../../sql/sql-tree.ts'

/**
 * The limit of the outermost query. `position` is where its number stands in the text, in UTF-16 units, where the
 * parser tells. `other` is everything that is no plain number: an expression, a share, WITH TIES.
 */
export type OutermostLimit =
  | { readonly kind: 'none' }
  | { readonly kind: 'number'; readonly rows: number; readonly position: number | null }
  | { readonly kind: 'other' }

/** Reads it off the tree of one statement. */
export const outermostLimit = (tree: SqlTree): OutermostLimit => {
  const root = tree.statements[0]
  if (root === undefined) return { kind: 'other' }
  return tree.parser === 'libpg-query'
    ? postgresLimit(nodeOf(root.SelectStmt), tree.sql)
    : polyglotLimit(root)
}

const postgresLimit = (select: TreeNode | null, sql: string): OutermostLimit => {
  if (select === null) return { kind: 'other' }
  if (select.limitCount === undefined) return { kind: 'none' }
  const constant = nodeOf(nodeOf(select.limitCount)?.A_Const)
  const whole = nodeOf(constant?.ival)
  if (whole === null || select.limitOption === 'LIMIT_OPTION_WITH_TIES') return { kind: 'other' }
  const bytes = typeof constant?.location === 'number' ? constant.location : -1
  return {
    kind: 'number',
    // libpg-query leaves a zero out of its JSON.
    rows: typeof whole.ival === 'number' ? whole.ival : 0,
    position: bytes < 0 ? null : Buffer.from(sql).subarray(0, bytes).toString().length,
  }
}

const polyglotLimit = (root: TreeNode): OutermostLimit => {
  const [kind, body] = Object.entries(root)[0] ?? []
  const query = nodeOf(body)
  if (query === null) return { kind: 'other' }
  const [first, ...more] = [query.limit, query.fetch, query.top].map(nodeOf).filter(node => node !== null)
  const inner = kind === 'subquery' || kind === 'paren' ? nodeOf(query.this) : null
  if (first === undefined) return inner === null ? { kind: 'none' } : polyglotLimit(inner)
  const hasMore = ['percent', 'with_ties'].some(part => first[part] === true)
  const rows = hasMore || more.length > 0 ? null : numberIn(first.count ?? first.this ?? first)
  return rows === null ? { kind: 'other' } : { kind: 'number', rows, position: null }
}

const numberIn = (value: TreeValue | undefined): number | null => {
  const literal = nodeOf(nodeOf(value)?.literal)
  const rows = literal?.literal_type === 'number' ? Number(textOf(literal.value)) : Number.NaN
  return Number.isSafeInteger(rows) ? rows : null
}
