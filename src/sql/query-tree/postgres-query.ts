import { listOf, nodeOf, type TreeNode, type TreeValue, textOf } from '../sql-tree.ts'
import { postgresExpression, stringOf } from './postgres-expression.ts'
import type { Expression, FromSource, JoinedSource, Ordering, QueryTree } from './query-tree.ts'

/** A query of libpg-query's tree: `{ SelectStmt }`, or the bare SELECT that stands beside a set operation. */
export const postgresQuery = (value: TreeValue | undefined): QueryTree | null => {
  const tagged = nodeOf(value)
  const select = nodeOf(tagged?.SelectStmt) ?? (tagged?.op === undefined ? null : tagged)
  if (select === null || select.valuesLists !== undefined) return null
  const operator = setOperators.get(textOf(select.op) ?? '')
  if (operator === undefined) return selectOf(select)
  const [left, right] = [postgresQuery(select.larg), postgresQuery(select.rarg)]
  if (left === null || right === null) return null
  return { kind: 'set', operator, all: select.all === true, left, right, ...frameOf(select) }
}

const setOperators: ReadonlyMap<string, 'union' | 'intersect' | 'except'> = new Map([
  ['SETOP_UNION', 'union'],
  ['SETOP_INTERSECT', 'intersect'],
  ['SETOP_EXCEPT', 'except'],
])

const selectOf = (select: TreeNode): QueryTree => ({
  kind: 'select',
  distinct: select.distinctClause !== undefined,
  outputs: listOf(select.targetList).map(item => {
    const target = nodeOf(nodeOf(item)?.ResTarget)
    return { expression: postgresExpression(target?.val), alias: textOf(target?.name) }
  }),
  from: listOf(select.fromClause).flatMap((item, index) => {
    const sources = sourcesOf(nodeOf(item))
    return index === 0
      ? sources
      : sources.map((one, at) => (at === 0 ? { ...one, join: 'cross' as const } : one))
  }),
  where: optional(select.whereClause),
  groupBy: listOf(select.groupClause).map(postgresExpression),
  having: optional(select.havingClause),
  qualify: null,
  ...frameOf(select),
})

const optional = (value: TreeValue | undefined): Expression | null =>
  nodeOf(value) === null ? null : postgresExpression(value)

const frameOf = (select: TreeNode) => ({
  ctes: listOf(nodeOf(select.withClause)?.ctes).flatMap(item => {
    const cte = nodeOf(nodeOf(item)?.CommonTableExpr)
    const query = postgresQuery(cte?.ctequery)
    return query === null ? [] : [{ name: textOf(cte?.ctename) ?? '', query }]
  }),
  orderBy: listOf(select.sortClause).map(postgresOrdering),
  limit: optional(select.limitCount),
  offset: optional(select.limitOffset),
})

/** One key of an ORDER BY of libpg-query's tree. */
export const postgresOrdering = (item: TreeValue): Ordering => {
  const key = nodeOf(nodeOf(item)?.SortBy)
  return {
    expression: postgresExpression(key?.node),
    direction: key?.sortby_dir === 'SORTBY_DESC' ? 'desc' : 'asc',
  }
}

const sourcesOf = (item: TreeNode | null): readonly JoinedSource[] => {
  const [kind, body] = Object.entries(item ?? {})[0] ?? []
  const node = nodeOf(body)
  if (kind === undefined || node === null) return []
  const alias = textOf(nodeOf(node.alias)?.aliasname)
  if (kind === 'RangeVar')
    return [
      alone({ kind: 'table', schema: textOf(node.schemaname), name: textOf(node.relname) ?? '', alias }),
    ]
  if (kind === 'RangeSubselect') {
    const query = postgresQuery(node.subquery)
    return [
      alone(query === null ? { kind: 'function', name: 'values', alias } : { kind: 'derived', query, alias }),
    ]
  }
  if (kind === 'RangeTableSample') return sourcesOf(nodeOf(node.relation))
  if (kind !== 'JoinExpr') return [alone({ kind: 'function', name: alias ?? 'function', alias })]
  const on = optional(node.quals)
  const using = listOf(node.usingClause).map(stringOf)
  const [first, ...rest] = sourcesOf(nodeOf(node.rarg))
  const join = joinKind(node, on !== null || using.length > 0)
  return [
    ...sourcesOf(nodeOf(node.larg)),
    ...(first === undefined ? [] : [{ ...first, join, on, using }]),
    ...rest,
  ]
}

const joinKind = (node: TreeNode, hasKeys: boolean): NonNullable<JoinedSource['join']> => {
  if (node.isNatural === true) return 'natural'
  switch (node.jointype) {
    case 'JOIN_LEFT':
      return 'left'
    case 'JOIN_RIGHT':
      return 'right'
    case 'JOIN_FULL':
      return 'full'
    default:
      return hasKeys ? 'inner' : 'cross'
  }
}

const alone = (source: FromSource): JoinedSource => ({ source, join: null, on: null, using: [] })
