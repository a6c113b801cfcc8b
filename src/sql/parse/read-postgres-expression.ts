import {
  aggregateNames,
  type CallExpression,
  type Comparison,
  callOf,
  compareOf,
  type Expression,
  type Ordering,
  type QueryTree,
} from '../tree/query-tree.ts'
import { isNode, keepOrigin, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from './sql-tree.ts'

/** Makes the readers of libpg-query's expressions; `query` reads a `{ SelectStmt }`. */
export const makePostgresReader = (query: (value: TreeValue | undefined) => QueryTree) => {
  const expression = (value: TreeValue | undefined): Expression => {
    const [tag, body] = Object.entries(nodeOf(value) ?? {})[0] ?? []
    const node = nodeOf(body)
    if (tag === undefined || node === null) return callOf('', [], { details: rest(value, nothing) })
    switch (tag) {
      case 'SelectStmt':
        return { kind: 'subquery', query: query(value) }
      case 'ColumnRef':
        return readColumn(node)
      case 'A_Const':
        return readConstant(node)
      case 'A_Expr':
        return readOperator(node)
      case 'BoolExpr': {
        const operands = listOf(node.args).map(expression)
        if (node.boolop === 'NOT_EXPR') return { kind: 'not', operand: operands[0] as Expression }
        const kind = node.boolop === 'OR_EXPR' ? 'or' : 'and'
        return { kind, operands: operands.flatMap(one => (one.kind === kind ? one.operands : [one])) }
      }
      case 'NullTest':
        return {
          kind: 'null-test',
          operand: expression(node.arg),
          negated: node.nulltesttype === 'IS_NOT_NULL',
        }
      case 'BooleanTest': {
        const [, not, truth] = /^IS_(NOT_)?(TRUE|FALSE|UNKNOWN)$/.exec(textOf(node.booltesttype) ?? '') ?? []
        return {
          kind: 'truth-test',
          operand: expression(node.arg),
          truth: truth === 'FALSE' ? 'false' : truth === 'UNKNOWN' ? 'unknown' : 'true',
          negated: not !== undefined,
        }
      }
      case 'SubLink':
        return readSublink(node)
      case 'TypeCast':
        return {
          kind: 'cast',
          operand: expression(node.arg),
          lenient: false,
          details: rest(node, onlyArgument),
        }
      case 'CaseExpr':
        return {
          kind: 'case',
          operand: optional(node.arg, expression),
          branches: listOf(node.args).map(item => {
            const branch = nodeOf(nodeOf(item)?.CaseWhen)
            return { when: expression(branch?.expr), value: expression(branch?.result) }
          }),
          otherwise: optional(node.defresult, expression),
        }
      case 'FuncCall':
        return readCall(node)
      case 'CoalesceExpr':
        return callOf('coalesce', listOf(node.args).map(expression))
      case 'MinMaxExpr':
        return callOf(node.op === 'IS_LEAST' ? 'least' : 'greatest', listOf(node.args).map(expression))
      case 'SQLValueFunction':
        return callOf((textOf(node.op) ?? '').replace('SVFOP_', '').toLowerCase())
      case 'GroupingSet':
        return callOf(
          groupingNames.get(textOf(node.kind) ?? '') ?? 'tuple',
          listOf(node.content).map(expression),
        )
      case 'RangeVar':
        return { kind: 'unclear', what: 'a table where none is expected', parts: [] }
      default:
        return readOther(tag, node)
    }
  }

  /** A form without a kind of its own: its direct parts are inputs, whatever else it holds are details. */
  const readOther = (tag: string, node: TreeNode): Expression => {
    const inputs: Expression[] = []
    const details: Expression[] = []
    for (const [key, child] of Object.entries(node))
      if (key === 'typeName') details.push(...rest(node, new Set(Object.keys(node).filter(k => k !== key))))
      else
        for (const part of Array.isArray(child) ? (child as readonly TreeValue[]) : [child]) {
          if (isTagged(part)) inputs.push(expression(part))
          else details.push(...rest(part))
        }
    return callOf(tag.toLowerCase(), inputs, { details })
  }

  /** Every expression inside a value, whatever holds it, without the parts of a node that are named in `except`. */
  const rest = (value: TreeValue | undefined, except?: ReadonlySet<string>): readonly Expression[] => {
    if (Array.isArray(value)) return (value as readonly TreeValue[]).flatMap(item => rest(item))
    if (!isNode(value)) return []
    if (except === undefined && isTagged(value)) return [expression(value)]
    const parts = Object.entries(value).flatMap(([key, child]): readonly Expression[] => {
      if (except?.has(key) === true) return []
      const inside = rest(child)
      return key === 'typeName' && inside.length > 0 ? [{ kind: 'type', parts: inside }] : inside
    })
    return except !== undefined || parts.length < 2 ? parts : [{ kind: 'group', parts }]
  }

  const orderBy = (clause: TreeValue | undefined): readonly Ordering[] =>
    listOf(clause).map(item => {
      const key = nodeOf(nodeOf(item)?.SortBy)
      return {
        expression: expression(key?.node),
        direction: key?.sortby_dir === 'SORTBY_DESC' ? 'desc' : 'asc',
        details: rest(key ?? undefined, onlyNode),
      }
    })

  const readOperator = (node: TreeNode): Expression => {
    const names = namesOf(node.name)
    const operator = names.at(-1) ?? ''
    const left = (): Expression => expression(node.lexpr)
    const right = (): Expression => expression(node.rexpr)
    const items = (): readonly Expression[] => listOf(nodeOf(nodeOf(node.rexpr)?.List)?.items).map(expression)
    const like = (variant: 'no-case' | 'similar' | null): Expression => ({
      ...compareOf(operator.startsWith('!') ? 'not like' : 'like', left(), right()),
      variant,
    })
    switch (node.kind) {
      case 'AEXPR_IN':
        return {
          kind: 'in',
          operand: left(),
          among: items(),
          negated: operator === '<>',
          bare: false,
          details: [],
        }
      case 'AEXPR_BETWEEN':
      case 'AEXPR_NOT_BETWEEN':
      case 'AEXPR_BETWEEN_SYM':
      case 'AEXPR_NOT_BETWEEN_SYM': {
        const [low, high] = items() as [Expression, Expression]
        return { kind: 'between', operand: left(), low, high, negated: node.kind.includes('NOT') }
      }
      case 'AEXPR_LIKE':
        return like(null)
      case 'AEXPR_ILIKE':
        return like('no-case')
      case 'AEXPR_SIMILAR':
        return like('similar')
      case 'AEXPR_OP_ANY':
      case 'AEXPR_OP_ALL':
        return {
          ...compareOf(comparisons.get(operator) ?? '=', left(), right()),
          variant: regexps.has(operator) ? 'regexp' : null,
          quantifier: node.kind === 'AEXPR_OP_ANY' ? 'any' : 'all',
        }
      case 'AEXPR_DISTINCT':
        return { ...compareOf('<>', left(), right()), variant: 'null-safe' }
      case 'AEXPR_NOT_DISTINCT':
        return { ...compareOf('=', left(), right()), variant: 'null-safe' }
      case 'AEXPR_NULLIF':
        return callOf('nullif', [left(), right()])
    }
    const comparison = comparisons.get(operator)
    if (comparison !== undefined)
      return {
        ...compareOf(comparison, left(), right()),
        variant: regexps.has(operator) ? 'regexp' : names.length > 1 ? 'qualified' : null,
      }
    if (isArithmetic(operator) && isNode(node.lexpr))
      return { kind: 'arithmetic', operator, left: left(), right: right() }
    if (operator === '-') return callOf('negative', [right()])
    return callOf(operator, [node.lexpr, node.rexpr].filter(isNode).map(expression))
  }

  const readSublink = (node: TreeNode): Expression => {
    const inside = query(node.subselect)
    switch (node.subLinkType) {
      case 'EXISTS_SUBLINK':
        return { kind: 'exists', query: inside, negated: false }
      case 'ANY_SUBLINK':
      case 'ALL_SUBLINK': {
        const operand = expression(node.testexpr)
        const operator = namesOf(node.operName).at(-1) ?? ''
        // `IN (SELECT ...)` has no operator of its own.
        if (node.subLinkType === 'ANY_SUBLINK' && (operator === '' || operator === '='))
          return { kind: 'in', operand, among: inside, negated: false, bare: false, details: [] }
        return {
          ...compareOf(comparisons.get(operator) ?? '=', operand, { kind: 'subquery', query: inside }),
          quantifier: node.subLinkType === 'ALL_SUBLINK' ? 'all' : 'any',
        }
      }
      default:
        return { kind: 'subquery', query: inside }
    }
  }

  const readCall = (node: TreeNode): Expression => {
    const names = namesOf(node.funcname)
    const written = names.at(-1) ?? ''
    const name = written.toLowerCase()
    const inputs = listOf(node.args).map(expression)
    const fn = names.length === 1 || names[0] === 'pg_catalog' ? aggregateNames.get(written) : undefined
    const [argument, ...others] = inputs
    const distinct = node.agg_distinct === true
    const call: Expression =
      fn === undefined
        ? withDetails(namedField(name, inputs), distinct, rest(node, plainCallParts))
        : {
            kind: 'aggregate',
            fn,
            name,
            distinct,
            star: node.agg_star === true,
            argument: argument ?? null,
            others,
            filter: optional(node.agg_filter, expression),
            details: rest(node, callParts),
          }
    const over = nodeOf(node.over)
    if (over === null) return call
    return {
      kind: 'window',
      call,
      partitionBy: listOf(over.partitionClause).map(expression),
      orderBy: orderBy(over.orderClause),
      details: rest(over, windowParts),
    }
  }

  return { expression, rest, orderBy }
}

const withDetails = (
  call: CallExpression,
  distinct: boolean,
  details: readonly Expression[],
): CallExpression => ({ ...call, distinct, details: [...call.details, ...details] })

/** `extract(year from d)` reads as `year(d)`. */
const namedField = (name: string, inputs: readonly Expression[]): CallExpression => {
  const [field, ...others] = inputs
  return (name === 'extract' || name === 'date_part') && field?.kind === 'text'
    ? callOf(field.value.toLowerCase(), others, { details: [field] })
    : callOf(name, inputs)
}

const readColumn = (node: TreeNode): Expression => {
  const fields = listOf(node.fields)
  const names = namesOf(node.fields)
  const qualifier = fields.length > 1 ? (names.at(-2) ?? '') : null
  const column: Expression =
    nodeOf(fields.at(-1))?.A_Star === undefined
      ? {
          kind: 'column',
          outer: names.slice(0, -2),
          qualifier,
          name: names.at(-1) ?? '',
          quoted: false,
          mayBeText: false,
        }
      : { kind: 'star', qualifier, except: [], replace: [], renames: false }
  return keepOrigin(column, node)
}

const readConstant = (node: TreeNode): Expression => {
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

/** An expression, or null if there is none. */
export const optional = (
  value: TreeValue | undefined,
  expression: (value: TreeValue | undefined) => Expression,
): Expression | null => (isNode(value) ? expression(value) : null)

/** The texts of a list of `{ String }`. */
export const namesOf = (list: TreeValue | undefined): readonly string[] =>
  listOf(list).map(part => textOf(nodeOf(nodeOf(part)?.String)?.sval) ?? '')

/** True for a node: its only key is its tag, which begins with a capital. */
const isTagged = (value: TreeValue | undefined): value is TreeNode => {
  const [tag, ...others] = Object.keys(nodeOf(value) ?? {})
  return tag !== undefined && others.length === 0 && /^[A-Z]/.test(tag)
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

/** Named as in other dialects. */
const groupingNames: ReadonlyMap<string, string> = new Map([
  ['GROUPING_SET_CUBE', 'cube'],
  ['GROUPING_SET_ROLLUP', 'rollup'],
  ['GROUPING_SET_SETS', 'grouping sets'],
])

const regexps: ReadonlySet<string> = new Set(['~', '~*', '!~', '!~*'])

const nothing: ReadonlySet<string> = new Set()

const onlyArgument: ReadonlySet<string> = new Set(['arg'])

const onlyNode: ReadonlySet<string> = new Set(['node'])

const callParts: ReadonlySet<string> = new Set(['funcname', 'args', 'agg_filter', 'over'])

const plainCallParts: ReadonlySet<string> = new Set(['funcname', 'args', 'over'])

const windowParts: ReadonlySet<string> = new Set(['partitionClause', 'orderClause'])
