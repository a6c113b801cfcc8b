import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from '../../../sql/sql-tree.ts'
import {
  type ExpressionShape,
  group,
  type OutputShape,
  type QueryShape,
  type SourceShape,
} from './query-shape.ts'

/** The shape of a SelectStmt of libpg-query. */
export const postgresShape = (select: TreeNode): QueryShape => {
  const clause = nodeOf(select.withClause)
  const [left, right] = [nodeOf(select.larg), nodeOf(select.rarg)]
  const bounds = [select.limitCount, select.limitOffset]
  return {
    ctes: listOf(clause?.ctes).map(item => {
      const cte = nodeOf(nodeOf(item)?.CommonTableExpr)
      return {
        name: textOf(cte?.ctename) ?? '',
        renamed: namesOf(cte?.aliascolnames),
        query: queryOf(cte?.ctequery),
      }
    }),
    recursive: clause?.recursive === true,
    body:
      left !== null && right !== null
        ? { kind: 'set', left: postgresShape(left), right: postgresShape(right) }
        : select.valuesLists !== undefined
          ? { kind: 'values', parts: [read(select.valuesLists)] }
          : readSelect(select),
    tail: left === null ? [read(bounds as TreeValue)] : [read([select.sortClause, ...bounds] as TreeValue)],
  }
}

const queryOf = (value: TreeValue | undefined): QueryShape => {
  const select = nodeOf(nodeOf(value)?.SelectStmt)
  if (select === null) throw new Error('a query that is no SELECT')
  return postgresShape(select)
}

const readSelect = (select: TreeNode): QueryShape['body'] => {
  const { targetList, fromClause, whereClause, withClause, limitCount, limitOffset, ...rest } = select
  return {
    kind: 'select',
    from: listOf(fromClause).map(readSource),
    outputs: listOf(targetList).map(readOutput),
    where: [read(whereClause)],
    rest: [read(rest)],
  }
}

const readOutput = (item: TreeValue): OutputShape => {
  const target = nodeOf(nodeOf(item)?.ResTarget)
  const alias = textOf(target?.name)
  const expression = read(target?.val)
  const own = expression.kind === 'name' ? (expression.parts.at(-1) ?? null) : null
  return { name: alias ?? own, isAlias: alias !== null, expression }
}

const readSource = (item: TreeValue | undefined): SourceShape => {
  const [tag, body] = Object.entries(nodeOf(item) ?? {})[0] ?? []
  const node = nodeOf(body)
  if (tag === undefined || node === null) throw new Error('a source that is not there')
  const alias = textOf(nodeOf(node.alias)?.aliasname)
  const renamed = namesOf(nodeOf(node.alias)?.colnames)
  switch (tag) {
    case 'RangeVar':
      if (node.catalogname !== undefined) throw new Error('a table of another database')
      return {
        kind: 'table',
        schema: textOf(node.schemaname),
        name: textOf(node.relname) ?? '',
        alias,
        renamed,
      }
    case 'RangeSubselect':
      return { kind: 'query', query: queryOf(node.subquery), alias, renamed }
    case 'JoinExpr': {
      const join: SourceShape = {
        kind: 'join',
        left: readSource(node.larg),
        right: readSource(node.rarg),
        natural: node.isNatural === true,
        using: namesOf(node.usingClause),
        on: [read(node.quals)],
        alias,
        renamed,
      }
      if (node.join_using_alias !== undefined) throw new Error('an alias of USING')
      return join
    }
    case 'RangeTableSample':
      return withParts(readSource(node.relation), [read(node.args), read(node.repeatable)])
    default: {
      const { alias: _alias, ...rest } = node
      return { kind: 'call', parts: [read({ [tag]: rest })], alias: alias ?? callName(node), renamed }
    }
  }
}

/** The sample's size stands beside its table and may name nothing. */
const withParts = (source: SourceShape, parts: readonly ExpressionShape[]): SourceShape => ({
  kind: 'join',
  left: source,
  right: { kind: 'call', parts, alias: null, renamed: [] },
  natural: false,
  using: [],
  on: [],
  alias: null,
  renamed: [],
})

/** A function in FROM without an alias is known by its own name. */
const callName = (node: TreeNode): string | null => {
  const call = nodeOf(nodeOf(listOf(nodeOf(nodeOf(listOf(node.functions)[0])?.List)?.items)[0])?.FuncCall)
  return namesOf(call?.funcname).at(-1) ?? null
}

const namesOf = (list: TreeValue | undefined): readonly string[] =>
  listOf(list).map(part => textOf(nodeOf(nodeOf(part)?.String)?.sval) ?? '')

const read = (value: TreeValue | undefined): ExpressionShape => {
  if (Array.isArray(value)) return group((value as readonly TreeValue[]).map(read))
  if (!isNode(value)) return group([])
  const entries = Object.entries(value)
  const [tag = '', body] = entries[0] ?? []
  const reader = entries.length === 1 && isNode(body) ? readers[tag] : undefined
  return reader === undefined ? group(entries.map(([, child]) => read(child))) : reader(body as TreeNode)
}

const readColumn = (node: TreeNode): ExpressionShape => {
  const fields = listOf(node.fields).map(nodeOf)
  const parts = fields.map(field => textOf(nodeOf(field?.String)?.sval) ?? '')
  if (fields.at(-1)?.A_Star !== undefined) return { kind: 'star', qualifier: parts.at(-2) ?? null }
  return { kind: 'name', parts, mayBeText: false }
}

const readCall = (node: TreeNode): ExpressionShape => {
  const { args, ...rest } = node
  const [first, ...more] = listOf(args)
  const isCount =
    namesOf(node.funcname)
      .join('.')
      .replace(/^pg_catalog\./, '') === 'count'
  return isCount && first !== undefined && more.length === 0
    ? { kind: 'presence', part: read(first), rest: [read(rest)] }
    : group([read(args), read(rest)])
}

const readSublink = (node: TreeNode): ExpressionShape =>
  group([
    read(node.testexpr),
    {
      kind: 'query',
      query: queryOf(node.subselect),
      exists: node.subLinkType === 'EXISTS_SUBLINK',
    },
  ])

const readOperator = (node: TreeNode): ExpressionShape =>
  node.kind === 'AEXPR_OP' && namesOf(node.name).join('.') === '='
    ? { kind: 'equal', left: read(node.lexpr), right: read(node.rexpr) }
    : group([read(node.lexpr), read(node.rexpr)])

const readers: Readonly<Record<string, (node: TreeNode) => ExpressionShape>> = {
  SelectStmt: node => ({ kind: 'query', query: postgresShape(node), exists: false }),
  ColumnRef: readColumn,
  FuncCall: readCall,
  SubLink: readSublink,
  A_Expr: readOperator,
  NullTest: node => ({ kind: 'presence', part: read(node.arg), rest: [] }),
  BoolExpr: node =>
    node.boolop === 'AND_EXPR' ? { kind: 'and', parts: listOf(node.args).map(read) } : read(node.args),
  RangeVar: () => ({ kind: 'unclear', what: 'a table where none is expected' }),
}
