import {
  type Aggregate,
  aggregateNames,
  type Comparison,
  countComparison,
  emptyTerm,
  makeShapeParts,
  negated,
  type ShapeParts,
  type TermParts,
} from './shape-parts.ts'
import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/** The parts of a Postgres statement, or null for anything but a query. */
export const postgresShape = (statement: TreeNode): ShapeParts | null => {
  const select = nodeOf(statement.SelectStmt)
  if (select === null) return null
  const parts = makeShapeParts()
  readOutermost(select, parts)
  count(statement, parts, false)
  return parts
}

const operations: Readonly<Record<string, ShapeParts['setOperation']>> = {
  SETOP_UNION: 'union',
  SETOP_INTERSECT: 'intersect',
  SETOP_EXCEPT: 'except',
}

const readOutermost = (select: TreeNode, parts: ShapeParts): void => {
  const left = nodeOf(select.larg)
  if (left === null) readSelect(select, parts)
  else {
    readOutermost(left, parts)
    parts.setOperation = operations[textOf(select.op) ?? ''] ?? null
    parts.arms += armsOf(select.rarg)
  }
  const order = readOrder(select)
  if (order.length > 0) parts.orderBy = order
  const limit = nodeOf(nodeOf(nodeOf(select.limitCount)?.A_Const)?.ival)
  if (limit !== null) parts.limit = Number(limit.ival ?? 0)
}

const armsOf = (value: TreeValue | undefined): number => {
  const select = nodeOf(value)
  return select === null || nodeOf(select.larg) === null ? 1 : armsOf(select.larg) + armsOf(select.rarg)
}

const readSelect = (select: TreeNode, parts: ShapeParts): void => {
  parts.distinct = select.distinctClause !== undefined
  for (const item of listOf(select.targetList)) {
    const target = nodeOf(nodeOf(item)?.ResTarget)
    parts.items.push({ term: termOf(target?.val), alias: textOf(target?.name) })
  }
  for (const item of listOf(select.fromClause)) readSource(item, parts)
  parts.groupBy = listOf(select.groupClause).map(termOf)
  parts.having = select.havingClause === undefined ? null : termOf(select.havingClause)
}

const readSource = (value: TreeValue | undefined, parts: ShapeParts): void => {
  const item = nodeOf(value)
  const table = nodeOf(item?.RangeVar)
  const join = nodeOf(item?.JoinExpr)
  if (table !== null)
    parts.sources.push({ name: textOf(table.relname), alias: textOf(nodeOf(table.alias)?.aliasname) })
  else if (join !== null) {
    if (/LEFT|RIGHT|FULL/.test(textOf(join.jointype) ?? '')) parts.outerJoins += 1
    readSource(join.larg, parts)
    readSource(join.rarg, parts)
  } else {
    const derived = nodeOf(Object.values(item ?? {})[0])
    parts.sources.push({ name: null, alias: textOf(nodeOf(derived?.alias)?.aliasname) })
  }
}

const readOrder = (select: TreeNode): ShapeParts['orderBy'] =>
  listOf(select.sortClause).map(item => {
    const key = nodeOf(nodeOf(item)?.SortBy)
    return { term: termOf(key?.node), descending: key?.sortby_dir === 'SORTBY_DESC' }
  })

const termOf = (value: TreeValue | undefined): TermParts => {
  const node = nodeOf(value)
  if (node === null) return emptyTerm
  const whole = nodeOf(nodeOf(node.A_Const)?.ival)
  if (whole !== null) return { ...emptyTerm, ordinal: Number(whole.ival ?? 0) }
  const term = firstTerm(node) ?? emptyTerm
  const call = nodeOf(node.FuncCall)
  const plain = nodeOf(node.ColumnRef) !== null || (call !== null && aggregateOf(call) !== null)
  return { ...term, plain }
}

const aggregateOf = (call: TreeNode): Aggregate | null => {
  const name = textOf(nodeOf(nodeOf(listOf(call.funcname).at(-1))?.String)?.sval) ?? ''
  return aggregateNames.has(name) ? (name as Aggregate) : null
}

/** The first aggregate, else the first column, from left to right; what is in a subquery is not of this term. */
const firstTerm = (value: TreeValue | undefined): TermParts | null => {
  if (Array.isArray(value)) return best((value as readonly TreeValue[]).map(firstTerm))
  if (!isNode(value) || value.SelectStmt !== undefined) return null
  const column = nodeOf(value.ColumnRef)
  if (column !== null) return columnTerm(column)
  const call = nodeOf(value.FuncCall)
  const aggregate = call === null ? null : aggregateOf(call)
  if (call !== null && aggregate !== null) {
    const inside = firstTerm(call.args)
    const distinct = call.agg_distinct === true
    return { ...(inside ?? emptyTerm), aggregate, distinct, star: call.agg_star === true }
  }
  return best(Object.values(value).map(firstTerm))
}

const columnTerm = ({ fields }: TreeNode): TermParts => {
  const names = listOf(fields).map(field => textOf(nodeOf(nodeOf(field)?.String)?.sval))
  const column = names.at(-1) ?? null
  return { ...emptyTerm, qualifier: names.at(-2) ?? null, column, star: column === null }
}

const best = (terms: readonly (TermParts | null)[]): TermParts | null =>
  terms.find(term => term !== null && term.aggregate !== null) ?? terms.find(term => term !== null) ?? null

const operators: Readonly<Record<string, Comparison>> = {
  '=': 'equal',
  '<>': 'unequal',
  '!=': 'unequal',
  '<': 'less',
  '<=': 'less',
  '>': 'greater',
  '>=': 'greater',
  '~~': 'like',
  '~~*': 'like',
  '~': 'like',
  '~*': 'like',
  '!~~': 'not-like',
  '!~~*': 'not-like',
  '!~': 'not-like',
  '!~*': 'not-like',
}

/** Counts what stands anywhere in the statement. `isNegated` holds for the node right under a NOT. */
const count = (value: TreeValue | undefined, parts: ShapeParts, isNegated: boolean): void => {
  if (Array.isArray(value)) for (const item of value as readonly TreeValue[]) count(item, parts, isNegated)
  if (!isNode(value)) return
  for (const key in value) {
    const node = nodeOf(value[key])
    if (node === null) {
      count(value[key], parts, isNegated && key === 'args')
      continue
    }
    // The arms of a set operation stand bare under `larg` and `rarg`.
    if (key === 'SelectStmt' || ((key === 'larg' || key === 'rarg') && node.op !== undefined))
      parts.selects += nodeOf(node.larg) === null ? 1 : 0
    else if (key === 'RangeVar') parts.tables.push(textOf(node.relname) ?? '')
    else if (key === 'CommonTableExpr') parts.ctes.add((textOf(node.ctename) ?? '').toLowerCase())
    else if (key === 'BoolExpr' && node.boolop === 'AND_EXPR') parts.ands += listOf(node.args).length - 1
    else if (key === 'BoolExpr' && node.boolop === 'OR_EXPR') parts.ors += listOf(node.args).length - 1
    const kind = comparisonOf(key, node)
    if (kind !== null) countComparison(parts, isNegated ? negated(kind) : kind)
    count(node, parts, key === 'BoolExpr' && node.boolop === 'NOT_EXPR')
  }
}

const comparisonOf = (key: string, node: TreeNode): Comparison | null => {
  if (key === 'NullTest') return node.nulltesttype === 'IS_NOT_NULL' ? 'not-null' : 'null'
  if (key === 'SubLink') {
    if (node.subLinkType === 'EXISTS_SUBLINK') return 'exists'
    return node.subLinkType === 'ANY_SUBLINK' ? 'in-query' : null
  }
  if (key !== 'A_Expr') return null
  // `a.id = b.id` ties tables together, it compares nothing to what was asked.
  if (nodeOf(nodeOf(node.lexpr)?.ColumnRef) !== null && nodeOf(nodeOf(node.rexpr)?.ColumnRef) !== null)
    return null
  const operator = textOf(nodeOf(nodeOf(listOf(node.name)[0])?.String)?.sval) ?? ''
  switch (node.kind) {
    case 'AEXPR_IN':
      return operator === '<>' ? 'not-in-list' : 'in-list'
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
      return 'between'
    default:
      return operators[operator] ?? null
  }
}
