import { childrenOf, orderingParts } from '../tree/children.ts'
import {
  type Expression,
  type Frame,
  type FromSource,
  isUnclearQuery,
  type QueryTree,
} from '../tree/query-tree.ts'

/** How two things are compared, whatever the dialect spells it. */
export type Comparison =
  | 'equal'
  | 'unequal'
  | 'less'
  | 'greater'
  | 'like'
  | 'not-like'
  | 'between'
  | 'in-list'
  | 'not-in-list'
  | 'in-query'
  | 'not-in-query'
  | 'exists'
  | 'not-exists'
  | 'null'
  | 'not-null'

/** What stands anywhere in a query, subqueries and CTEs included. */
interface PartCounts {
  /** SELECTs, arms of set operations included; VALUES are none. */
  selects: number
  ands: number
  ors: number
  readonly comparisons: Map<Comparison, number>
  /** Names of the tables in all FROM clauses, those of CTEs included, as written. */
  readonly tables: string[]
  /** Names of the CTEs in lower case. */
  readonly ctes: Set<string>
}

/** Counts what stands anywhere in a query. */
export const countParts = (query: QueryTree): PartCounts => {
  const counts: PartCounts = {
    selects: 0,
    ands: 0,
    ors: 0,
    comparisons: new Map(),
    tables: [],
    ctes: new Set(),
  }
  countQuery(query, counts)
  return counts
}

const countQuery = (query: QueryTree, counts: PartCounts): void => {
  if (query.kind === 'set') {
    countQuery(query.left, counts)
    countQuery(query.right, counts)
  } else {
    if (query.rows === null && !isUnclearQuery(query)) counts.selects += 1
    for (const row of query.rows ?? []) count(row, counts)
    for (const { expression } of query.outputs) count(expression, counts)
    for (const { source, on } of query.from) {
      countSource(source, counts)
      if (on !== null) count(on, counts)
    }
    for (const part of [query.where, ...query.groupBy, query.having, query.qualify])
      if (part !== null) count(part, counts)
  }
  for (const frame of [query, ...query.brackets]) countFrame(frame, counts)
}

const countFrame = ({ orderBy, limit, offset, details, ctes }: Frame, counts: PartCounts): void => {
  for (const part of [...orderBy.flatMap(orderingParts), limit, offset, ...details])
    if (part !== null) count(part, counts)
  for (const { name, query } of ctes) {
    counts.ctes.add(name.toLowerCase())
    countQuery(query, counts)
  }
}

const countSource = (source: FromSource, counts: PartCounts): void => {
  switch (source.kind) {
    case 'table':
      counts.tables.push(source.name)
      return
    case 'derived':
      countQuery(source.query, counts)
      return
    case 'joined':
      for (const one of source.sources) {
        countSource(one.source, counts)
        if (one.on !== null) count(one.on, counts)
      }
      return
    case 'function':
      for (const part of source.parts) count(part, counts)
      return
    case 'reshaped':
    case 'sampled':
    case 'unclear':
      if (source.source !== null) countSource(source.source, counts)
      for (const part of source.parts) count(part, counts)
      return
    default: {
      const never: never = source
      throw new Error(`a source of no kind: ${String(never)}`)
    }
  }
}

/** `isNegated` holds for what stands right under a NOT. */
const count = (expression: Expression, counts: PartCounts, isNegated = false): void => {
  if (expression.kind === 'and') counts.ands += expression.operands.length - 1
  else if (expression.kind === 'or') counts.ors += expression.operands.length - 1
  const kind = comparisonOf(expression)
  if (kind !== null) {
    const meant = isNegated ? (negations[kind] ?? kind) : kind
    counts.comparisons.set(meant, (counts.comparisons.get(meant) ?? 0) + 1)
  }
  if (expression.kind === 'exists' || expression.kind === 'subquery') countQuery(expression.query, counts)
  if (expression.kind === 'in' && 'kind' in expression.among) countQuery(expression.among, counts)
  const passes = expression.kind === 'not' || (isNegated && expression.kind === 'paren')
  for (const part of childrenOf(expression)) count(part, counts, passes)
}

const comparisonOf = (expression: Expression): Comparison | null => {
  switch (expression.kind) {
    case 'compare': {
      const { operator, variant, quantifier, left, right } = expression
      if (joinsColumns(left, right) || variant === 'match') return null
      return quantifier !== null && right.kind === 'subquery' ? null : operators[operator]
    }
    case 'is':
      return joinsColumns(expression.left, expression.right) ? null : negated('null', expression.negated)
    case 'null-test':
      return negated('null', expression.negated)
    case 'between':
      return 'between'
    case 'in':
      return negated('kind' in expression.among ? 'in-query' : 'in-list', expression.negated)
    case 'exists':
      return negated('exists', expression.negated)
    default:
      return null
  }
}

/** `a.id = b.id` ties tables together, it compares nothing to what was asked. */
const joinsColumns = (left: Expression, right: Expression): boolean =>
  left.kind === 'column' && right.kind === 'column'

const operators = {
  '=': 'equal',
  '<>': 'unequal',
  '<': 'less',
  '<=': 'less',
  '>': 'greater',
  '>=': 'greater',
  like: 'like',
  'not like': 'not-like',
} as const

const negated = (kind: Comparison, isNegated: boolean): Comparison =>
  isNegated ? (negations[kind] ?? kind) : kind

/** The kind of a comparison under NOT. */
const negations: Partial<Record<Comparison, Comparison>> = {
  equal: 'unequal',
  unequal: 'equal',
  less: 'greater',
  greater: 'less',
  like: 'not-like',
  'not-like': 'like',
  'in-list': 'not-in-list',
  'not-in-list': 'in-list',
  'in-query': 'not-in-query',
  'not-in-query': 'in-query',
  exists: 'not-exists',
  'not-exists': 'exists',
  null: 'not-null',
  'not-null': 'null',
}
