import { isNode, listOf, nodeOf, type TreeNode, type TreeValue, textOf } from '../sql-tree.ts'
import { aggregateNames } from './aggregate-names.ts'
import { negate } from './negate.ts'
import { polyglotOrdering, polyglotQuery } from './polyglot-query.ts'
import type { Comparison, Expression } from './query-tree.ts'

/** The text in code points, which is what polyglot counts; empty where `"x"` is always a name. */
export type PolyglotText = readonly string[]

/** The name of an identifier node. */
export const nameOf = (value: TreeValue | undefined): string | null => textOf(nodeOf(value)?.name)

/** An expression of polyglot's tree. What has no kind of its own becomes a call with its parts as inputs. */
export const polyglotExpression = (value: TreeValue | undefined, text: PolyglotText): Expression => {
  const entries = Object.entries(nodeOf(value) ?? {})
  const [kind, body] = entries[0] ?? []
  const node = nodeOf(body)
  if (kind === undefined || node === null)
    return kind === 'null'
      ? { kind: 'constant', value: 'null' }
      : { kind: 'call', name: kind ?? '', inputs: [] }
  const read = (child: TreeValue | undefined): Expression => polyglotExpression(child, text)
  const compared = comparisons.get(kind)
  if (compared !== undefined) {
    const compare: Expression = {
      kind: 'compare',
      operator: compared,
      quantifier: null,
      left: read(node.left),
      right: read(node.right),
    }
    return node.not === true ? negate(compare) : compare
  }
  const operator = arithmetic.get(kind)
  if (operator !== undefined && node.left !== undefined)
    return { kind: 'arithmetic', operator, left: read(node.left), right: read(node.right) }
  const fn = aggregateNames.get((kind.endsWith('function') ? (textOf(node.name) ?? '') : kind).toLowerCase())
  if (fn !== undefined) return aggregateOf(fn, node, text)
  switch (kind) {
    case 'column':
      return {
        kind: 'column',
        qualifier: nameOf(node.table),
        name: nameOf(node.name) ?? '',
        mayBeText: isDoubleQuoted(node, text),
      }
    case 'star':
      return { kind: 'star', qualifier: nameOf(node.table) }
    case 'dot': {
      const inner = nodeOf(nodeOf(node.this)?.column)
      return {
        kind: 'column',
        qualifier: nameOf(inner?.name),
        name: nameOf(node.field) ?? '',
        mayBeText: false,
      }
    }
    case 'literal':
      return {
        kind: node.literal_type === 'number' ? 'number' : 'text',
        value: textOf(node.value) ?? '',
      }
    case 'neg': {
      const operand = read(node.this)
      return operand.kind === 'number'
        ? { kind: 'number', value: `-${operand.value}` }
        : { kind: 'call', name: 'negative', inputs: [operand] }
    }
    case 'boolean':
      return { kind: 'constant', value: node.value === true ? 'true' : 'false' }
    case 'null':
      return { kind: 'constant', value: 'null' }
    case 'paren':
      return polyglotQuery(node.this, text) === null ? read(node.this) : subqueryOf(node.this, text)
    case 'subquery':
    case 'select':
    case 'union':
    case 'intersect':
    case 'except':
      return subqueryOf(value, text)
    case 'and':
    case 'or':
      return { kind, operands: [read(node.left), read(node.right)].flatMap(one => flattenLogic(one, kind)) }
    case 'not':
      return negate(read(node.this))
    case 'between':
      return {
        kind: 'between',
        operand: read(node.this),
        low: read(node.low),
        high: read(node.high),
        negated: node.not === true,
      }
    case 'in':
      return inOf(node, text)
    case 'is_null':
      return { kind: 'null-test', operand: read(node.this), negated: node.not === true }
    case 'is_true':
    case 'is_false':
      return {
        kind: 'compare',
        operator: node.not === true ? '<>' : '=',
        quantifier: null,
        left: read(node.this),
        right: { kind: 'constant', value: kind === 'is_true' ? 'true' : 'false' },
      }
    case 'is': {
      const right = read(node.right)
      const isNull = right.kind === 'constant' && right.value === 'null'
      if (isNull) return { kind: 'null-test', operand: read(node.left), negated: node.not === true }
      const operator = node.not === true ? '<>' : '='
      return { kind: 'compare', operator, quantifier: null, left: read(node.left), right }
    }
    case 'exists': {
      const query = polyglotQuery(node.this, text)
      if (query !== null) return { kind: 'exists', query, negated: node.not === true }
      break
    }
    case 'any':
    case 'all':
      return {
        kind: 'compare',
        operator: comparisons.get((textOf(node.op) ?? 'eq').toLowerCase()) ?? '=',
        quantifier: kind,
        left: read(node.this),
        right: read(node.subquery),
      }
    case 'cast':
    case 'try_cast':
    case 'safe_cast':
      return read(node.this)
    case 'case':
      return caseOf(node, text)
    case 'if_func':
      return {
        kind: 'case',
        branches: [{ when: read(node.condition), value: read(node.true_value) }],
        otherwise: isNode(node.false_value) ? read(node.false_value) : null,
      }
    case 'window_function':
      return {
        kind: 'window',
        call: read(node.this),
        partitionBy: listOf(nodeOf(node.over)?.partition_by).map(read),
        orderBy: listOf(nodeOf(node.over)?.order_by).map(item => polyglotOrdering(item, text)),
      }
    case 'extract':
      return {
        kind: 'call',
        name: (textOf(node.field) ?? 'extract').toLowerCase(),
        inputs: [read(node.this)],
      }
    case 'interval':
      return {
        kind: 'text',
        value:
          `${textOf(nodeOf(nodeOf(node.this)?.literal)?.value) ?? ''} ${(textOf(nodeOf(node.unit)?.unit) ?? '').toLowerCase()}`.trim(),
      }
  }
  const name = kind === 'function' || kind === 'aggregate_function' ? (textOf(node.name) ?? kind) : kind
  return { kind: 'call', name: name.toLowerCase(), inputs: childrenOf(node).map(read) }
}

const subqueryOf = (value: TreeValue | undefined, text: PolyglotText): Expression => {
  const query = polyglotQuery(value, text)
  return query === null ? { kind: 'call', name: 'subquery', inputs: [] } : { kind: 'subquery', query }
}

const aggregateOf = (
  fn: Extract<Expression, { kind: 'aggregate' }>['fn'],
  node: TreeNode,
  text: PolyglotText,
): Expression => {
  const [argument] = isNode(node.this) ? [node.this] : listOf(node.args)
  const filter = isNode(node.filter) ? polyglotExpression(node.filter, text) : null
  const starred = node.star === true || argument === undefined || isNode(nodeOf(argument)?.star)
  return {
    kind: 'aggregate',
    fn,
    distinct: node.distinct === true,
    argument: starred ? null : polyglotExpression(argument, text),
    filter,
  }
}

const inOf = (node: TreeNode, text: PolyglotText): Expression => {
  const operand = polyglotExpression(node.this, text)
  const negated = node.not === true
  const items = listOf(node.expressions)
  const query = polyglotQuery(node.query, text) ?? (items.length === 1 ? polyglotQuery(items[0], text) : null)
  return {
    kind: 'in',
    operand,
    among: query ?? items.map(item => polyglotExpression(item, text)),
    negated,
  }
}

const caseOf = (node: TreeNode, text: PolyglotText): Expression => {
  const operand = isNode(node.operand) ? polyglotExpression(node.operand, text) : null
  return {
    kind: 'case',
    branches: listOf(node.whens).map(pair => {
      const [when, then] = listOf(pair)
      const condition = polyglotExpression(when, text)
      return {
        when:
          operand === null
            ? condition
            : { kind: 'compare', operator: '=', quantifier: null, left: operand, right: condition },
        value: polyglotExpression(then, text),
      }
    }),
    otherwise: isNode(node.else_) ? polyglotExpression(node.else_, text) : null,
  }
}

const flattenLogic = (one: Expression, kind: 'and' | 'or'): readonly Expression[] =>
  one.kind === kind ? one.operands : [one]

/** SQLite's `"x"` without a table. */
const isDoubleQuoted = (node: TreeNode, text: PolyglotText): boolean => {
  const start = nodeOf(nodeOf(node.name)?.span)?.start
  return nameOf(node.table) === null && typeof start === 'number' && text[start] === '"'
}

/** The expressions directly under a node of no kind that is known here. */
const childrenOf = (node: TreeNode): readonly TreeValue[] =>
  Object.entries(node)
    .filter(([key]) => !notInputs.has(key))
    .flatMap(([, child]) => (Array.isArray(child) ? (child as readonly TreeValue[]) : [child ?? null]))
    .filter(child => isNode(child) && Object.keys(child).length === 1 && isNode(Object.values(child)[0]))

const notInputs: ReadonlySet<string> = new Set(['span', 'to', 'name', 'unit', 'inferred_type'])

const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ['eq', '='],
  ['null_safe_eq', '='],
  ['neq', '<>'],
  ['lt', '<'],
  ['lte', '<='],
  ['gt', '>'],
  ['gte', '>='],
  ['like', 'like'],
  ['i_like', 'like'],
  ['glob', 'like'],
  ['similar_to', 'like'],
  ['regexp_like', 'like'],
])

const arithmetic: ReadonlyMap<string, Extract<Expression, { kind: 'arithmetic' }>['operator']> = new Map([
  ['add', '+'],
  ['sub', '-'],
  ['mul', '*'],
  ['div', '/'],
  ['mod', '%'],
  ['concat', '||'],
])
