import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from '../sql-tree.ts'
import { nameOf, type PolyglotText, polyglotExpression } from './polyglot-expression.ts'
import type { FromSource, JoinedSource, Ordering, QueryTree } from './query-tree.ts'

/** A query of polyglot's tree; null for anything that is none. */
export const polyglotQuery = (value: TreeValue | undefined, text: PolyglotText): QueryTree | null => {
  const [kind, body] = Object.entries(nodeOf(value) ?? {})[0] ?? []
  const node = nodeOf(body)
  if (node === null) return null
  if (kind === 'select') return selectOf(node, text)
  if (kind === 'union' || kind === 'intersect' || kind === 'except') return setOf(kind, node, text)
  if (kind === 'subquery' || kind === 'paren') {
    const inner = polyglotQuery(node.this, text)
    const outer = frameOf(node, text)
    // `(SELECT ...) ORDER BY x LIMIT 1`: the outer order is the one that counts.
    return inner === null || (outer.orderBy.length === 0 && outer.limit === null)
      ? inner
      : { ...inner, orderBy: outer.orderBy, limit: outer.limit, offset: outer.offset }
  }
  return null
}

const setOf = (
  operator: 'union' | 'intersect' | 'except',
  node: TreeNode,
  text: PolyglotText,
): QueryTree | null => {
  const [left, right] = [polyglotQuery(node.left, text), polyglotQuery(node.right, text)]
  if (left === null || right === null) return null
  return { kind: 'set', operator, all: node.all === true, left, right, ...frameOf(node, text) }
}

const selectOf = (node: TreeNode, text: PolyglotText): QueryTree => {
  const [first, ...others] = listOf(nodeOf(node.from)?.expressions)
  const condition = (clause: TreeValue | undefined) => {
    const inner = nodeOf(clause)?.this
    return inner === undefined || inner === null ? null : polyglotExpression(inner, text)
  }
  const outputs = listOf(node.expressions).map(item => {
    const labelled = nodeOf(nodeOf(item)?.alias)
    return {
      expression: polyglotExpression(labelled === null ? item : labelled.this, text),
      alias: nameOf(labelled?.alias),
    }
  })
  const grouping = nodeOf(node.group_by)
  return {
    kind: 'select',
    distinct: node.distinct === true || (isNode(node.distinct_on) && true),
    outputs,
    from: [
      ...(first === undefined ? [] : sourcesOf(first, text)),
      ...others.flatMap(item => joinedTo(sourcesOf(item, text), { join: 'cross', on: null, using: [] })),
      ...listOf(node.joins).flatMap(item => joinOf(nodeOf(item), text)),
    ],
    where: condition(node.where_clause),
    groupBy:
      grouping?.all === true
        ? outputs.map(output => output.expression).filter(one => one.kind !== 'aggregate')
        : listOf(grouping?.expressions).map(item => polyglotExpression(item, text)),
    having: condition(node.having),
    qualify: condition(node.qualify),
    ...frameOf(node, text),
  }
}

const frameOf = (node: TreeNode, text: PolyglotText) => {
  // `limit` holds the number at once under a set operation, and `{ this }` under a SELECT.
  const bound = (value: TreeValue | undefined) => {
    const inner = nodeOf(value)
    if (inner === null) return null
    return polyglotExpression(inner.this === undefined ? inner : inner.this, text)
  }
  return {
    ctes: listOf(nodeOf(node.with)?.ctes).flatMap(item => {
      const cte = nodeOf(item)
      const query = polyglotQuery(cte?.this, text)
      return query === null ? [] : [{ name: nameOf(cte?.alias) ?? '', query }]
    }),
    orderBy: listOf(nodeOf(node.order_by)?.expressions).map(item => polyglotOrdering(item, text)),
    limit: bound(node.limit) ?? bound(nodeOf(node.fetch)?.count),
    offset: bound(node.offset),
  }
}

/** One key of an ORDER BY of polyglot's tree. */
export const polyglotOrdering = (item: TreeValue, text: PolyglotText): Ordering => ({
  expression: polyglotExpression(nodeOf(item)?.this, text),
  direction: nodeOf(item)?.desc === true ? 'desc' : 'asc',
})

const joinOf = (join: TreeNode | null, text: PolyglotText): readonly JoinedSource[] => {
  if (join === null) return []
  const using = listOf(join.using).map(item => nameOf(item) ?? '')
  const on = isNode(join.on) ? polyglotExpression(join.on, text) : null
  const kind = joinKind(textOf(join.kind) ?? '', on !== null || using.length > 0)
  return joinedTo(sourcesOf(join.this ?? null, text), { join: kind, on, using })
}

const joinKind = (kind: string, hasKeys: boolean): NonNullable<JoinedSource['join']> => {
  if (/natural/i.test(kind)) return 'natural'
  if (/left/i.test(kind)) return 'left'
  if (/right/i.test(kind)) return 'right'
  if (/full|outer/i.test(kind)) return 'full'
  return hasKeys ? 'inner' : 'cross'
}

/** Sources of a bracket keep their own joins; the first is joined as the bracket is. */
const joinedTo = (
  sources: readonly JoinedSource[],
  join: Omit<JoinedSource, 'source'>,
): readonly JoinedSource[] => sources.map((one, index) => (index === 0 ? { ...one, ...join } : one))

const sourcesOf = (item: TreeValue, text: PolyglotText): readonly JoinedSource[] => {
  const [kind, body] = Object.entries(nodeOf(item) ?? {})[0] ?? []
  const node = nodeOf(body)
  if (kind === undefined || node === null) return []
  const alias = nameOf(node.alias)
  if (kind === 'table')
    return [alone({ kind: 'table', schema: nameOf(node.schema), name: nameOf(node.name) ?? '', alias })]
  if (kind === 'joined_table')
    return [
      ...sourcesOf(node.left ?? null, text),
      ...listOf(node.joins).flatMap(join => joinOf(nodeOf(join), text)),
    ]
  const query = polyglotQuery(item, text)
  if (query !== null) return [alone({ kind: 'derived', query, alias })]
  if (kind === 'alias' || kind === 'paren' || kind === 'subquery') {
    const inner = sourcesOf(node.this ?? null, text)
    return inner.map(one => ({
      ...one,
      source: { ...one.source, alias: inner.length === 1 ? (alias ?? one.source.alias) : one.source.alias },
    }))
  }
  return [alone({ kind: 'function', name: textOf(node.name) ?? kind, alias })]
}

const alone = (source: FromSource): JoinedSource => ({ source, join: null, on: null, using: [] })
