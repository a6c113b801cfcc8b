import type { ParseDialect } from '../../domain/sql.ts'
import { dialectNamed } from '../dialects.ts'
import { generatePolyglot } from '../polyglot-parser.ts'
import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from '../sql-tree.ts'
import type { ComparisonOperator, OutlineExpression, QueryOutline } from './query-outline.ts'

/** Reads a query of polyglot's tree as its scope sees it; null for what is no query. */
export type ReadQuery = (node: TreeNode, scope: OutlineScope) => QueryOutline | null

const comparisons: Readonly<Record<string, ComparisonOperator>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
  like: 'like',
  i_like: 'like',
}

/** What the operator says when its sides change places: `3 < a` is `a > 3`. */
const flippedComparisons: Readonly<Partial<Record<ComparisonOperator, ComparisonOperator>>> = {
  '=': '=',
  '<>': '<>',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

const arithmetic: Readonly<Record<string, string>> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  mod: '%',
  concat: '||',
}

/** Makes the reader of expressions of polyglot's tree. */
export const makeReadExpression = (deps: {
  readonly dialect: ParseDialect
  readonly readQuery: ReadQuery
}) => {
  const read = (value: TreeValue | undefined, scope: OutlineScope): OutlineExpression => {
    const node = nodeOf(value)
    const [kind, body] = Object.entries(node ?? {})[0] ?? []
    if (node === null || kind === undefined || !isNode(body)) return { kind: 'other', text: '' }
    const inner = (part: TreeValue | undefined): OutlineExpression => read(part, scope)
    switch (kind) {
      case 'paren':
      case 'alias':
      case 'cast':
        return inner(body.this)
      case 'column': {
        const column = nameOf(body.name)
        if (isQuotedText(body, column, scope, deps.dialect))
          return { kind: 'value', value: textOf(nodeOf(body.name)?.name) ?? '', type: 'text' }
        return { kind: 'column', table: tableOf(nameOf(body.table) || null, column, scope), column }
      }
      case 'star': {
        const qualifier = nameOf(body.table)
        return { kind: 'star', table: qualifier === '' ? null : tableOf(qualifier, '*', scope) }
      }
      case 'literal':
        return {
          kind: 'value',
          value: textOf(body.value) ?? '',
          type: body.literal_type === 'number' ? 'number' : 'text',
        }
      case 'boolean':
        return { kind: 'value', value: String(body.value), type: 'text' }
      case 'neg': {
        const part = inner(body.this)
        return part.kind === 'value'
          ? { ...part, value: `-${part.value}` }
          : { kind: 'call', name: '-', args: [part], distinct: false }
      }
      case 'and':
      case 'or':
        return logic(kind, [inner(body.left), inner(body.right)])
      case 'not':
        return negate(inner(body.this))
      case 'is_null':
        return compare('null', inner(body.this), [], body.not === true)
      case 'between':
        return compare('between', inner(body.this), [inner(body.low), inner(body.high)], body.not === true)
      case 'in': {
        const query = nodeOf(body.query)
        const right = query === null ? listOf(body.expressions).map(inner) : [asQuery(query, scope)]
        return compare('in', inner(body.this), right, body.not === true)
      }
      case 'exists':
        return compare('exists', asQuery(nodeOf(body.this) ?? {}, scope), [], body.not === true)
      case 'subquery':
      case 'select':
      case 'union':
      case 'intersect':
      case 'except':
        return asQuery(node, scope)
      default:
        return comparisons[kind] === undefined
          ? readCall(node, kind, body, scope)
          : readComparison(comparisons[kind], inner(body.left), inner(body.right))
    }
  }

  const asQuery = (node: TreeNode, scope: OutlineScope): OutlineExpression => {
    const query = deps.readQuery(node, scope)
    return query === null ? asText(node) : { kind: 'query', query }
  }

  /** polyglot has a kind of its own for each function it knows, and `function` for the rest. */
  const readCall = (node: TreeNode, kind: string, body: TreeNode, scope: OutlineScope): OutlineExpression => {
    const name = arithmetic[kind] ?? (textOf(body.name) || textOf(body.original_name) || kind).toLowerCase()
    const given = [
      ...listOf(body.args),
      ...listOf(body.expressions),
      ...['this', 'left', 'right', 'expression'].map(key => body[key] ?? null),
    ].filter(part => isNode(part) && Object.values(part).length === 1)
    if (given.length === 0 && body.star !== true) return asText(node)
    const args = given.map(part => read(part, scope))
    return {
      kind: 'call',
      name,
      args: body.star === true ? [{ kind: 'star', table: null }] : args,
      distinct: body.distinct === true,
    }
  }

  const asText = (node: TreeNode): OutlineExpression => ({
    kind: 'other',
    text: (generatePolyglot(node, deps.dialect) ?? JSON.stringify(node)).toLowerCase(),
  })
  return read
}

const readComparison = (
  operator: ComparisonOperator,
  left: OutlineExpression,
  right: OutlineExpression,
): OutlineExpression => {
  const other = flippedComparisons[operator]
  if (left.kind === 'value' && right.kind !== 'value' && other !== undefined)
    return compare(other, right, [left])
  if (operator === 'like' && right.kind === 'value' && !/[%_]/.test(right.value))
    return compare('=', left, [right])
  return compare(operator, left, [right])
}

const compare = (
  operator: ComparisonOperator,
  left: OutlineExpression,
  right: readonly OutlineExpression[],
  negated = false,
): OutlineExpression => ({ kind: 'comparison', operator, negated, left, right })

const logic = (operator: 'and' | 'or', parts: readonly OutlineExpression[]): OutlineExpression => ({
  kind: 'logic',
  operator,
  parts: parts.flatMap(part => (part.kind === 'logic' && part.operator === operator ? part.parts : [part])),
})

const negate = (part: OutlineExpression): OutlineExpression =>
  part.kind === 'comparison' ? { ...part, negated: !part.negated } : { kind: 'not', part }

const nameOf = (value: TreeValue | undefined): string => textOf(nodeOf(value)?.name)?.toLowerCase() ?? ''

/** SQLite and MySQL take `"x"` for text where there is no such column. */
const isQuotedText = (column: TreeNode, name: string, scope: OutlineScope, dialect: ParseDialect): boolean =>
  dialectNamed(dialect).grammar.doubleQuotes !== 'name' &&
  nodeOf(column.name)?.quoted === true &&
  nodeOf(column.table) === null &&
  scope.tablesWith(name).length === 0

/** Which columns the tables of a database have; names in lower case. What a text leaves open is settled by it. */
export type TablesWith = (column: string) => readonly string[]

/** What the names of one SELECT stand for: tables by the name they go by there. Scopes see what is around them. */
export interface OutlineScope {
  readonly tables: ReadonlyMap<string, string | null>
  readonly outer: OutlineScope | null
  readonly tablesWith: TablesWith
}

/** The real table behind a column's qualifier, or behind no qualifier; null where nothing tells. */
const tableOf = (qualifier: string | null, column: string, scope: OutlineScope): string | null => {
  if (qualifier !== null) {
    const known = scope.tables.get(qualifier)
    if (known !== undefined) return known
    return scope.outer === null ? null : tableOf(qualifier, column, scope.outer)
  }
  const own = [...new Set([...scope.tables.values()].filter(table => table !== null))]
  const having = scope.tablesWith(column)
  const fits = own.filter(table => having.includes(table))
  if (fits.length > 0) return fits.length === 1 ? (fits[0] ?? null) : null
  if (scope.outer !== null && having.length > 0) return tableOf(null, column, scope.outer)
  return scope.tables.size === 1 && having.length === 0 ? (own[0] ?? null) : null
}
