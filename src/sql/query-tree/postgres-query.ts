import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from '../sql-tree.ts'
import {
  aggregateNames,
  type Comparison,
  type Expression,
  type FromSource,
  type JoinedSource,
  negate,
  type Ordering,
  type QueryTree,
} from './query-tree.ts'

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
const postgresOrdering = (item: TreeValue): Ordering => {
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

/** The text of a `{ String }` node. */
const stringOf = (value: TreeValue | undefined): string => textOf(nodeOf(nodeOf(value)?.String)?.sval) ?? ''

/** An expression of libpg-query's tree. What has no kind of its own becomes a call with its parts as inputs. */
const postgresExpression = (value: TreeValue | undefined): Expression => {
  const [kind, body] = Object.entries(nodeOf(value) ?? {})[0] ?? []
  const node = nodeOf(body)
  if (kind === undefined || node === null) return { kind: 'call', name: '', inputs: [] }
  switch (kind) {
    case 'ColumnRef':
      return columnOf(node)
    case 'A_Const':
      return constantOf(node)
    case 'A_Expr':
      return operatorExpression(node)
    case 'BoolExpr': {
      const operands = listOf(node.args).map(postgresExpression)
      if (node.boolop === 'NOT_EXPR') return negate(operands[0] as Expression)
      const joined = node.boolop === 'OR_EXPR' ? 'or' : 'and'
      return {
        kind: joined,
        operands: operands.flatMap(one => (one.kind === joined ? one.operands : [one])),
      }
    }
    case 'NullTest':
      return {
        kind: 'null-test',
        operand: postgresExpression(node.arg),
        negated: node.nulltesttype === 'IS_NOT_NULL',
      }
    case 'BooleanTest': {
      const [, not, truth] = /^IS_(NOT_)?(TRUE|FALSE|UNKNOWN)$/.exec(textOf(node.booltesttype) ?? '') ?? []
      const operand = postgresExpression(node.arg)
      if (truth === 'UNKNOWN') return { kind: 'null-test', operand, negated: not !== undefined }
      const constant = truth === 'FALSE' ? 'false' : 'true'
      return {
        kind: 'compare',
        operator: not === undefined ? '=' : '<>',
        quantifier: null,
        left: operand,
        right: { kind: 'constant', value: constant },
      }
    }
    case 'SubLink':
      return subLink(node)
    case 'TypeCast':
      return postgresExpression(node.arg)
    case 'CaseExpr':
      return caseOf(node)
    case 'FuncCall':
      return callOf(node)
    case 'CoalesceExpr':
      return { kind: 'call', name: 'coalesce', inputs: listOf(node.args).map(postgresExpression) }
    case 'MinMaxExpr':
      return {
        kind: 'call',
        name: node.op === 'IS_LEAST' ? 'least' : 'greatest',
        inputs: listOf(node.args).map(postgresExpression),
      }
    case 'SQLValueFunction':
      return {
        kind: 'call',
        name: (textOf(node.op) ?? '').replace('SVFOP_', '').toLowerCase(),
        inputs: [],
      }
    default:
      return { kind: 'call', name: kind.toLowerCase(), inputs: childrenOf(node).map(postgresExpression) }
  }
}

const columnOf = (node: TreeNode): Expression => {
  const fields = listOf(node.fields)
  const qualifier = fields.length > 1 ? stringOf(fields.at(-2)) : null
  return nodeOf(fields.at(-1))?.A_Star === undefined
    ? { kind: 'column', qualifier, name: stringOf(fields.at(-1)), mayBeText: false }
    : { kind: 'star', qualifier }
}

const constantOf = (node: TreeNode): Expression => {
  const [text, whole, decimal, truth] = [
    nodeOf(node.sval),
    nodeOf(node.ival),
    nodeOf(node.fval),
    nodeOf(node.boolval),
  ]
  if (text !== null) return { kind: 'text', value: textOf(text.sval) ?? '' }
  // libpg-query leaves zero and false out of its JSON.
  if (whole !== null) return { kind: 'number', value: String(whole.ival ?? 0) }
  if (decimal !== null) return { kind: 'number', value: textOf(decimal.fval) ?? '' }
  if (truth !== null) return { kind: 'constant', value: truth.boolval === true ? 'true' : 'false' }
  return { kind: 'constant', value: 'null' }
}

const operatorExpression = (node: TreeNode): Expression => {
  const operator = stringOf(listOf(node.name).at(-1))
  const right = node.rexpr
  const left = (): Expression => postgresExpression(node.lexpr)
  const items = (): readonly Expression[] =>
    listOf(nodeOf(nodeOf(right)?.List)?.items).map(postgresExpression)
  const compare = (comparison: Comparison, quantifier: 'any' | 'all' | null = null): Expression => ({
    kind: 'compare',
    operator: comparison,
    quantifier,
    left: left(),
    right: postgresExpression(right),
  })
  switch (node.kind) {
    case 'AEXPR_IN':
      return { kind: 'in', operand: left(), among: items(), negated: operator === '<>' }
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM': {
      const [low, high] = items() as [Expression, Expression]
      return { kind: 'between', operand: left(), low, high, negated: node.kind.includes('NOT') }
    }
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
    case 'AEXPR_SIMILAR':
      return compare(operator.startsWith('!') ? 'not like' : 'like')
    case 'AEXPR_OP_ANY':
    case 'AEXPR_OP_ALL': {
      const list = nodeOf(nodeOf(right)?.A_ArrayExpr)
      if (list !== null && node.kind === 'AEXPR_OP_ANY' && operator === '=')
        return {
          kind: 'in',
          operand: left(),
          among: listOf(list.elements).map(postgresExpression),
          negated: false,
        }
      return compare(comparisons.get(operator) ?? '=', node.kind === 'AEXPR_OP_ANY' ? 'any' : 'all')
    }
    case 'AEXPR_DISTINCT':
      return compare('<>')
    case 'AEXPR_NOT_DISTINCT':
      return compare('=')
    case 'AEXPR_NULLIF':
      return { kind: 'call', name: 'nullif', inputs: [left(), postgresExpression(right)] }
  }
  const comparison = comparisons.get(operator)
  if (comparison !== undefined) return compare(comparison)
  if (isArithmetic(operator) && isNode(node.lexpr))
    return { kind: 'arithmetic', operator, left: left(), right: postgresExpression(right) }
  if (operator === '-') return { kind: 'call', name: 'negative', inputs: [postgresExpression(right)] }
  return {
    kind: 'call',
    name: operator,
    inputs: [node.lexpr, right].filter(isNode).map(postgresExpression),
  }
}

const isArithmetic = (
  operator: string,
): operator is Extract<Expression, { kind: 'arithmetic' }>['operator'] =>
  ['+', '-', '*', '/', '%', '||'].includes(operator)

const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
  ['~', 'like'],
  ['~*', 'like'],
  ['!~', 'not like'],
  ['!~*', 'not like'],
])

const subLink = (node: TreeNode): Expression => {
  const query = postgresQuery(node.subselect)
  if (query === null) return { kind: 'call', name: 'subquery', inputs: [] }
  switch (node.subLinkType) {
    case 'EXISTS_SUBLINK':
      return { kind: 'exists', query, negated: false }
    case 'ANY_SUBLINK':
    case 'ALL_SUBLINK': {
      const operand = postgresExpression(node.testexpr)
      const operator = stringOf(listOf(node.operName).at(-1))
      // `IN (SELECT ...)` has no operator of its own.
      if (node.subLinkType === 'ANY_SUBLINK' && (operator === '' || operator === '='))
        return { kind: 'in', operand, among: query, negated: false }
      return {
        kind: 'compare',
        operator: comparisons.get(operator) ?? '=',
        quantifier: node.subLinkType === 'ALL_SUBLINK' ? 'all' : 'any',
        left: operand,
        right: { kind: 'subquery', query },
      }
    }
    default:
      return { kind: 'subquery', query }
  }
}

const caseOf = (node: TreeNode): Expression => {
  const operand = isNode(node.arg) ? postgresExpression(node.arg) : null
  return {
    kind: 'case',
    branches: listOf(node.args).map(item => {
      const branch = nodeOf(nodeOf(item)?.CaseWhen)
      const when = postgresExpression(branch?.expr)
      return {
        when:
          operand === null
            ? when
            : { kind: 'compare', operator: '=', quantifier: null, left: operand, right: when },
        value: postgresExpression(branch?.result),
      }
    }),
    otherwise: isNode(node.defresult) ? postgresExpression(node.defresult) : null,
  }
}

const callOf = (node: TreeNode): Expression => {
  const name = stringOf(listOf(node.funcname).at(-1)).toLowerCase()
  const inputs = listOf(node.args).map(postgresExpression)
  const fn = aggregateNames.get(name)
  const call: Expression =
    fn === undefined
      ? extracted(name, inputs)
      : {
          kind: 'aggregate',
          fn,
          distinct: node.agg_distinct === true,
          argument: inputs[0] ?? null,
          filter: isNode(node.agg_filter) ? postgresExpression(node.agg_filter) : null,
        }
  const over = nodeOf(node.over)
  if (over === null) return call
  return {
    kind: 'window',
    call,
    partitionBy: listOf(over.partitionClause).map(postgresExpression),
    orderBy: listOf(over.orderClause).map(postgresOrdering),
  }
}

/** `extract(year from d)` reads as `year(d)`. */
const extracted = (name: string, inputs: readonly Expression[]): Expression => {
  const [field, ...rest] = inputs
  return (name === 'extract' || name === 'date_part') && field?.kind === 'text'
    ? { kind: 'call', name: field.value.toLowerCase(), inputs: rest }
    : { kind: 'call', name, inputs }
}

const childrenOf = (node: TreeNode): readonly TreeValue[] =>
  Object.entries(node)
    .filter(([key]) => key !== 'typeName')
    .flatMap(([, child]) => (Array.isArray(child) ? (child as readonly TreeValue[]) : [child ?? null]))
    .filter(child => isNode(child) && Object.keys(child).some(key => /^[A-Z]/.test(key)))
