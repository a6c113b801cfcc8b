import type { ParseDialect } from '../../domain/sql.ts'
import { parseSqlCached } from '../parse/parse-sql.ts'
import { readQuery } from '../parse/read-statements.ts'
import { mapParts } from '../tree/map-parts.ts'
import {
  aggregateNames,
  callOf,
  compareOf,
  type Expression,
  type Frame,
  type FromSource,
  isUnclearQuery,
  type JoinedSource,
  type QueryTree,
  type SelectTree,
} from '../tree/query-tree.ts'

/**
 * A query as people read it: without brackets, casts and spellings of one parser, NOT taken into what has a negated
 * form, joins in brackets put among the others. Null if it is VALUES or not clear.
 */
export const plainQuery = (query: QueryTree): QueryTree | null => {
  const plain = query.kind === 'set' ? plainSet(query) : plainSelect(query)
  return plain === null ? null : query.brackets.reduce(withBracket, plain)
}

/** `(SELECT ...) ORDER BY x LIMIT 1`: the outer order is the one that counts. */
const withBracket = (query: QueryTree, bracket: Frame): QueryTree =>
  bracket.orderBy.length === 0 && bracket.limit === null ? query : { ...query, ...plainBounds(bracket) }

const plainSet = (query: Extract<QueryTree, { kind: 'set' }>): QueryTree | null => {
  const [left, right] = [plainQuery(query.left), plainQuery(query.right)]
  return left === null || right === null ? null : { ...query, ...plainFrame(query), left, right }
}

const plainSelect = (select: SelectTree): SelectTree | null => {
  if (select.rows !== null || isUnclearQuery(select)) return null
  const outputs = select.outputs.map(({ expression, alias }) => ({ expression: plain(expression), alias }))
  return {
    ...select,
    ...plainFrame(select),
    outputs,
    from: select.from.flatMap(plainJoined),
    where: optional(select.where),
    groupBy: select.groupByAll
      ? outputs.map(output => output.expression).filter(one => one.kind !== 'aggregate')
      : select.groupBy.map(plain),
    having: optional(select.having),
    qualify: optional(select.qualify),
  }
}

const plainFrame = (frame: Frame): Frame & { readonly brackets: readonly Frame[] } => ({
  ctes: frame.ctes.flatMap(cte => {
    const query = plainQuery(cte.query)
    return query === null ? [] : [{ ...cte, query }]
  }),
  recursive: frame.recursive,
  details: [],
  brackets: [],
  ...plainBounds(frame),
})

const plainBounds = ({ orderBy, limit, offset }: Frame): Pick<Frame, 'orderBy' | 'limit' | 'offset'> => ({
  orderBy: orderBy.map(one => ({ ...one, expression: plain(one.expression), details: [] })),
  limit: optional(limit),
  offset: optional(offset),
})

const plainJoined = (joined: JoinedSource): readonly JoinedSource[] => {
  const { source, natural, on } = joined
  const first = { ...joined, join: natural ? ('natural' as const) : joined.join, on: optional(on) }
  if (source.kind !== 'joined') return [{ ...first, source: plainSource(source) }]
  // Sources in brackets keep their own joins; the first is joined as the brackets are.
  return source.sources
    .flatMap(plainJoined)
    .map((one, index) => (index === 0 ? { ...first, source: one.source } : one))
}

const plainSource = (source: Exclude<FromSource, { kind: 'joined' }>): FromSource => {
  const { alias, renamed } = source
  const called = (name: string): FromSource => ({
    kind: 'function',
    name,
    called: null,
    parts: [],
    alias,
    renamed,
  })
  switch (source.kind) {
    case 'table':
      return source
    case 'derived': {
      const query = plainQuery(source.query)
      return query === null ? called('values') : { ...source, query }
    }
    case 'function':
      return { ...source, parts: [] }
    case 'sampled':
      return source.source.kind === 'joined' ? called('sample') : plainSource(source.source)
    case 'reshaped':
    case 'unclear':
      return called(source.name)
    default: {
      const never: never = source
      return never
    }
  }
}

const optional = (expression: Expression | null): Expression | null =>
  expression === null ? null : plain(expression)

const plain = (expression: Expression): Expression => {
  switch (expression.kind) {
    case 'column':
      return { ...expression, quoted: false }
    case 'star':
    case 'text':
    case 'number':
    case 'constant':
    case 'group':
    case 'type':
    case 'moment':
      return expression
    case 'paren':
    case 'cast':
      return plain(expression.operand)
    case 'aggregate':
      return {
        ...expression,
        argument:
          expression.star || expression.argument?.kind === 'star' ? null : optional(expression.argument),
        others: [],
        filter: optional(expression.filter),
        details: [],
      }
    case 'call':
      return plainCall(expression)
    case 'window':
      return {
        ...expression,
        call: plain(expression.call),
        partitionBy: expression.partitionBy.map(plain),
        orderBy: expression.orderBy.map(one => ({ ...one, expression: plain(one.expression), details: [] })),
        details: [],
      }
    case 'compare':
      return plainCompare(expression)
    case 'and':
    case 'or':
      return {
        kind: expression.kind,
        operands: expression.operands
          .map(plain)
          .flatMap(one => (one.kind === expression.kind ? one.operands : [one])),
      }
    case 'not':
      return negate(plain(expression.operand))
    case 'arithmetic':
    case 'between':
    case 'null-test':
    case 'truncate':
    case 'date-part':
    case 'shift':
    case 'elapsed':
    case 'ratio':
    case 'percentile':
    case 'fragment':
      return mapParts(expression, plain, query => query)
    case 'in': {
      const { among } = expression
      const query = 'kind' in among ? plainQuery(among) : null
      return {
        ...expression,
        operand: plain(expression.operand),
        among: query ?? ('kind' in among ? [] : among.map(plain)),
        details: [],
      }
    }
    case 'exists':
    case 'subquery': {
      const query = plainQuery(expression.query)
      return query === null ? callOf('subquery') : { ...expression, query }
    }
    case 'case':
      return plainCase(expression)
    case 'is': {
      const [left, right] = [plain(expression.left), plain(expression.right)]
      return right.kind === 'constant' && right.value === 'null'
        ? { kind: 'null-test', operand: left, negated: expression.negated }
        : compareOf(expression.negated ? '<>' : '=', left, right)
    }
    case 'truth-test': {
      const { truth, negated } = expression
      const operand = plain(expression.operand)
      return truth === 'unknown'
        ? { kind: 'null-test', operand, negated }
        : compareOf(negated ? '<>' : '=', operand, { kind: 'constant', value: truth })
    }
    case 'interval': {
      const { amount, unit } = expression
      const count = amount?.kind === 'text' || amount?.kind === 'number' ? amount.value : ''
      return { kind: 'text', value: `${count} ${unit}`.trim() }
    }
    case 'field': {
      const { operand, name } = expression
      const qualifier = operand.kind === 'column' ? operand.name : null
      return { kind: 'column', outer: [], qualifier, name, quoted: false, mayBeText: false }
    }
    case 'named':
      return callOf('alias', [plain(expression.operand)])
    case 'lambda':
      return callOf('lambda', expression.parts.map(plain))
    case 'unclear':
      return callOf('table')
    default: {
      const never: never = expression
      return never
    }
  }
}

const plainCall = (call: Extract<Expression, { kind: 'call' }>): Expression => {
  const inputs = call.inputs.map(plain)
  const [first, second] = inputs
  if (call.name === 'negative' && first?.kind === 'number') return { ...first, value: `-${first.value}` }
  if ((call.name === 'regexp_like' || call.name === 'similar_to') && first && second)
    return { ...compareOf('like', first, second), variant: 'regexp' }
  const fn = aggregateNames.get(call.name)
  return fn === undefined
    ? { ...call, inputs, details: [] }
    : {
        kind: 'aggregate',
        fn,
        name: call.name,
        distinct: call.distinct,
        star: first?.kind === 'star',
        argument: first === undefined || first.kind === 'star' ? null : first,
        others: [],
        filter: null,
        details: [],
      }
}

const plainCompare = (compare: Extract<Expression, { kind: 'compare' }>): Expression => {
  const [left, right] = [plain(compare.left), plain(compare.right)]
  if (compare.variant === 'match') return callOf('match', [left, right])
  const isList = right.kind === 'call' && right.name === 'a_arrayexpr'
  if (isList && compare.quantifier === 'any' && compare.operator === '=')
    return { kind: 'in', operand: left, among: right.inputs, negated: false, bare: false, details: [] }
  return { ...compare, left, right, details: [] }
}

const plainCase = (expression: Extract<Expression, { kind: 'case' }>): Expression => {
  const operand = optional(expression.operand)
  return {
    kind: 'case',
    operand: null,
    branches: expression.branches.map(({ when, value }) => ({
      when: operand === null ? plain(when) : compareOf('=', operand, plain(when)),
      value: plain(value),
    })),
    otherwise: optional(expression.otherwise),
  }
}

/** NOT before an expression, taken into it if it has a negated form of its own. */
const negate = (operand: Expression): Expression => {
  switch (operand.kind) {
    case 'between':
    case 'in':
    case 'null-test':
    case 'exists':
      return { ...operand, negated: !operand.negated }
    case 'compare':
      if (operand.operator === 'like' && operand.quantifier === null)
        return { ...operand, operator: 'not like' }
      return { kind: 'not', operand }
    case 'not':
      return operand.operand
    default:
      return { kind: 'not', operand }
  }
}

/** A single query as a plain tree, the same for every dialect; null if it cannot be parsed or is not a query. */
export const readQueryTree = (sql: string, dialect: ParseDialect): QueryTree | null => {
  const parsed = parseSqlCached(sql, dialect)
  const query = parsed.ok ? readQuery(parsed.tree) : null
  return query === null ? null : plainQuery(query)
}
