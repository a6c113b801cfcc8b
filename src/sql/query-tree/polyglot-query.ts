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
const polyglotOrdering = (item: TreeValue, text: PolyglotText): Ordering => ({
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

/** The text in code points, which is what polyglot counts; empty where `"x"` is always a name. */
type PolyglotText = readonly string[]

/** The name of an identifier node. */
const nameOf = (value: TreeValue | undefined): string | null => textOf(nodeOf(value)?.name)

/** An expression of polyglot's tree. What has no kind of its own becomes a call with its parts as inputs. */
const polyglotExpression = (value: TreeValue | undefined, text: PolyglotText): Expression => {
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
