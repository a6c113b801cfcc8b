import {
  type CommonTable,
  type Expression,
  type emptyFrame,
  type Frame,
  type FromSource,
  type JoinedSource,
  type QueryTree,
  type SelectTree,
  unclearQuery,
} from '../tree/query-tree.ts'
import { makePostgresReader, namesOf, optional } from './read-postgres-expression.ts'
import { keepOrigin, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/** Reads a statement of libpg-query. */
export const readPostgres = (statement: TreeNode): Expression => {
  const select = nodeOf(statement.SelectStmt)
  return select === null ? expression(statement) : { kind: 'subquery', query: readSelect(select) }
}

/** A query of libpg-query: `{ SelectStmt }`. */
const readQuery = (value: TreeValue | undefined): QueryTree => {
  const select = nodeOf(nodeOf(value)?.SelectStmt)
  return select === null ? unclearQuery('a query that is no SELECT', rest(value)) : readSelect(select)
}

const { expression, orderBy, rest } = makePostgresReader(readQuery)

const readSelect = (select: TreeNode): QueryTree => {
  const [left, right] = [nodeOf(select.larg), nodeOf(select.rarg)]
  const operator = setOperators.get(textOf(select.op) ?? '')
  const frame = { ...frameOf(select), brackets: [] }
  if (left !== null && right !== null && operator !== undefined)
    return {
      kind: 'set',
      operator,
      all: select.all === true,
      left: readSelect(left),
      right: readSelect(right),
      ...frame,
    }
  return { ...frame, ...clausesOf(select) }
}

const setOperators: ReadonlyMap<string, 'union' | 'intersect' | 'except'> = new Map([
  ['SETOP_UNION', 'union'],
  ['SETOP_INTERSECT', 'intersect'],
  ['SETOP_EXCEPT', 'except'],
])

const clausesOf = (select: TreeNode): Omit<SelectTree, keyof typeof emptyFrame> => ({
  kind: 'select',
  distinct: select.distinctClause !== undefined,
  outputs: listOf(select.targetList).map(item => {
    const target = nodeOf(nodeOf(item)?.ResTarget)
    return { expression: expression(target?.val), alias: textOf(target?.name) }
  }),
  from: listOf(select.fromClause).flatMap((item, index) =>
    readJoins(item).map((one, at) =>
      index > 0 && at === 0 ? { ...one, join: 'cross' as const, comma: true } : one,
    ),
  ),
  where: optional(select.whereClause, expression),
  groupBy: listOf(select.groupClause).map(expression),
  groupByAll: false,
  having: optional(select.havingClause, expression),
  qualify: null,
  rows:
    select.valuesLists === undefined
      ? null
      : listOf(select.valuesLists).map(row => ({ kind: 'group', parts: rest(row) })),
})

const frameOf = (select: TreeNode): Frame => {
  const clause = nodeOf(select.withClause)
  return {
    ctes: listOf(clause?.ctes).map(item => {
      const cte = nodeOf(nodeOf(item)?.CommonTableExpr)
      const common: CommonTable = {
        name: textOf(cte?.ctename) ?? '',
        renamed: namesOf(cte?.aliascolnames),
        query: readQuery(cte?.ctequery),
      }
      return cte === null ? common : keepOrigin(common, cte)
    }),
    recursive: clause?.recursive === true,
    orderBy: orderBy(select.sortClause),
    limit: optional(select.limitCount, expression),
    offset: optional(select.limitOffset, expression),
    details: rest(select, clauses),
  }
}

const clauses: ReadonlySet<string> = new Set(
  `targetList fromClause whereClause groupClause havingClause valuesLists withClause sortClause limitCount limitOffset
   larg rarg`.split(/\s+/),
)

/** Joins lean to the left: those of the left side come first; those of the right side stand in brackets. */
const readJoins = (item: TreeValue | undefined): readonly JoinedSource[] => {
  const join = nodeOf(nodeOf(item)?.JoinExpr)
  if (join === null || nodeOf(join.alias) !== null) return [alone(readSource(item))]
  const on = optional(join.quals, expression)
  const using = namesOf(join.usingClause)
  return [
    ...readJoins(join.larg),
    {
      source: readSource(join.rarg),
      join: joinKind(join, on !== null || using.length > 0),
      natural: join.isNatural === true,
      comma: false,
      on,
      using,
      usingAlias: textOf(nodeOf(join.join_using_alias)?.aliasname),
    },
  ]
}

const readSource = (item: TreeValue | undefined): FromSource => {
  const node = nodeOf(item)
  const source = readPlainSource(item)
  return node === null ? source : keepOrigin(source, node)
}

const readPlainSource = (item: TreeValue | undefined): FromSource => {
  const [tag, body] = Object.entries(nodeOf(item) ?? {})[0] ?? []
  const node = nodeOf(body)
  const alias = textOf(nodeOf(node?.alias)?.aliasname)
  const renamed = namesOf(nodeOf(node?.alias)?.colnames)
  if (node === null) return { kind: 'unclear', name: tag ?? '', source: null, parts: [], alias, renamed }
  switch (tag) {
    case 'RangeVar':
      return {
        kind: 'table',
        catalog: textOf(node.catalogname),
        schema: textOf(node.schemaname),
        name: textOf(node.relname) ?? '',
        alias,
        renamed,
      }
    case 'RangeSubselect':
      return { kind: 'derived', query: readQuery(node.subquery), alias, renamed }
    case 'JoinExpr': {
      const { alias: _alias, ...join } = node
      return { kind: 'joined', sources: readJoins({ JoinExpr: join }), alias, renamed }
    }
    case 'RangeTableSample':
      return {
        kind: 'sampled',
        source: readSource(node.relation),
        parts: [...rest(node.args), ...rest(node.repeatable)],
        alias: null,
        renamed: [],
      }
    default:
      return {
        kind: 'function',
        name: alias ?? 'function',
        called: functionName(node),
        parts: rest(node, onlyAlias),
        alias,
        renamed,
      }
  }
}

/** A function in FROM without an alias is known by its own name. */
const functionName = (node: TreeNode): string | null => {
  const call = nodeOf(nodeOf(listOf(nodeOf(nodeOf(listOf(node.functions)[0])?.List)?.items)[0])?.FuncCall)
  return namesOf(call?.funcname).at(-1) ?? null
}

const joinKind = (join: TreeNode, hasKeys: boolean): Exclude<JoinedSource['join'], 'natural' | null> => {
  switch (join.jointype) {
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

const alone = (source: FromSource): JoinedSource => ({
  source,
  join: null,
  natural: false,
  comma: false,
  on: null,
  using: [],
  usingAlias: null,
})

const onlyAlias: ReadonlySet<string> = new Set(['alias'])
