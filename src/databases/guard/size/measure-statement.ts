import type { SizeRules } from '../../../sql/sql-dialect.ts'
import { childrenOf, orderingParts } from '../../../sql/tree/children.ts'
import type { Expression, QueryTree } from '../../../sql/tree/query-tree.ts'
import {
  callExtent,
  isCollecting,
  isExpanding,
  isSeries,
  isSizedByNumber,
  placeOfCount,
} from './call-extent.ts'
import {
  calculated,
  columnLength,
  type Extent,
  eitherOf,
  literalNumber,
  nothing,
  numberOf,
  textOf,
  together,
} from './extent.ts'
import { type Elements, makeQueryRows } from './query-rows.ts'
import { columnExtent, emptyScope, extentsOf, type Scope, type SizeNames, withLocals } from './scope.ts'

/** What is known about a statement beside its tree. */
interface StatementFacts {
  readonly sizes: SizeRules
  readonly names: SizeNames
  /** True if the parser gives a function in FROM as a call, false if it gives its arguments. */
  readonly givesCalls: boolean
  /** `ARRAY(SELECT ...)` puts rows together, and cannot be told from another subquery. */
  readonly hasArrayQuery: boolean
  /** Opening brackets in its literals. */
  readonly brackets: number
}

/** Why a statement makes too much, in words, and which calls were seen. */
interface Measured {
  readonly refusal: string | null
  /** Calls whose arguments set the size of their result. */
  readonly sizedCalls: ReadonlySet<Expression>
}

/** The longest value that is put together from rows, and the most of all in a statement. */
const longest = { collected: 64_000_000, statement: 128_000_000 }

const longestSeries = 10_000_000

/** Rows of a series whose bounds are not numbers. */
const unknownSeries = 10_000

/** Expressions measured before giving up: queries that repeat themselves inside one another. */
const mostSteps = 100_000

/** Computes how large the values of a statement can get, from literals and nesting, before anything is run. */
export const measureStatement = (statement: QueryTree, facts: StatementFacts): Measured => {
  let refusal: string | null = null
  let steps = 0
  let total = 0
  const sizedCalls = new Set<Expression>()
  const counted = new Set<Expression>()

  const refuse = (reason: string): void => {
    refusal ??= reason
  }

  /** Notes a value that is made, and cuts it: what is refused need not be followed up. */
  const make = (expression: Expression, name: string, extent: Extent, limit: number): Extent => {
    if (!counted.has(expression)) total += extent.length
    counted.add(expression)
    if (!(extent.length <= limit))
      refuse(`it calls ${plainName(name)} for a value of more than ${limit.toLocaleString('en')} characters`)
    else if (total > longest.statement)
      refuse(`its values can have more than ${longest.statement.toLocaleString('en')} characters together`)
    return { ...extent, length: Math.min(extent.length, limit), items: Math.min(extent.items, limit) }
  }

  const all = (expressions: readonly Expression[], scope: Scope): readonly Extent[] =>
    expressions.map(one => measure(one, scope))

  const measure = (expression: Expression, scope: Scope): Extent => {
    steps += 1
    if (steps > mostSteps) refuse('it is nested too deeply to see how much it makes')
    if (refusal !== null) return nothing
    switch (expression.kind) {
      case 'column':
        return columnExtent(expression.qualifier, expression.name, scope)
      case 'star': {
        const starred = scope.sources.flatMap(extentsOf)
        steps += starred.length
        return together([...starred, ...all(expression.replace, scope)])
      }
      case 'text':
        return textOf(expression.value.length)
      case 'number':
        return literalNumber(expression.value)
      case 'paren':
      case 'named':
      case 'field':
        return measure(expression.operand, scope)
      case 'cast':
        all(expression.details, scope)
        return measure(expression.operand, scope)
      case 'case': {
        const { operand, branches, otherwise } = expression
        all([...optional(operand), ...branches.map(({ when }) => when)], scope)
        return eitherOf(all([...branches.map(({ value }) => value), ...optional(otherwise)], scope))
      }
      case 'arithmetic': {
        const [left, right] = [measure(expression.left, scope), measure(expression.right, scope)]
        return expression.operator === '||'
          ? make(expression, '||', together([left, right]), longest.collected)
          : calculated(expression.operator, left, right)
      }
      case 'aggregate': {
        const { fn, name, argument, others, filter, details } = expression
        all(optional(filter), scope)
        if (fn !== 'count')
          return call(expression, name, [...optional(argument), ...others, ...details], scope)
        all([...optional(argument), ...others, ...details], scope)
        return numberOf(0, Number.POSITIVE_INFINITY)
      }
      case 'call':
        return call(expression, expression.name, [...expression.inputs, ...expression.details], scope)
      case 'window':
        all([...expression.partitionBy, ...expression.details], scope)
        all(expression.orderBy.flatMap(orderingParts), scope)
        return measure(expression.call, scope)
      case 'subquery': {
        const rows = queryRows(expression.query, scope)
        const one = eitherOf(extentsOf(rows))
        if (!facts.hasArrayQuery) return one
        return make(expression, 'ARRAY', textOf(rows.count * (one.length + 4), rows.count), longest.collected)
      }
      case 'exists':
        queryRows(expression.query, scope)
        return numberOf(0, 1)
      case 'in':
        if ('kind' in expression.among) queryRows(expression.among, scope)
        all(childrenOf(expression), scope)
        return numberOf(0, 1)
      case 'constant':
      case 'compare':
      case 'and':
      case 'or':
      case 'not':
      case 'between':
      case 'null-test':
      case 'is':
      case 'truth-test':
        all(childrenOf(expression), scope)
        return numberOf(0, 1)
      case 'lambda':
        return comprehension(expression, scope)
      default:
        return together(all(childrenOf(expression), scope))
    }
  }

  /** What is made of each element comes first, then the list. */
  const comprehension = (expression: Lambda, scope: Scope): Extent => {
    const [body, ...lists] = expression.parts
    const list = together(all(lists, scope))
    const items = Math.max(1, list.items)
    const element = textOf(Math.max(40, Math.ceil(list.length / items)))
    const inside = withLocals(
      scope,
      expression.names.map(name => [name, element]),
    )
    const each = together(all(body === undefined ? [] : [body], inside), 2)
    return make(expression, 'a list comprehension', textOf(items * each.length, items), longest.collected)
  }

  const call = (
    expression: Expression,
    name: string,
    inputs: readonly Expression[],
    scope: Scope,
  ): Extent => {
    if (isSizedByNumber(name)) sizedCalls.add(expression)
    const lambdas = inputs.filter(isLambda)
    const extents = inputs.map(one => (isLambda(one) ? nothing : measure(one, scope)))
    if (isSeries(name)) {
      const { count, value } = seriesElements(name, extents)
      // In Postgres it gives rows; elsewhere, a list.
      if (facts.givesCalls) return value
      return make(expression, name, { ...value, length: 8 * count, items: count }, longest.collected)
    }
    if (isExpanding(name)) {
      const [list] = inputs
      const value = list === undefined ? null : elements(list, scope).value
      if (value !== null) return value
    }
    const lambda = (values: readonly Extent[]): Extent =>
      eitherOf(lambdas.map(one => lambdaExtent(one, values, scope)))
    const extent = callExtent({
      name,
      sizes: facts.sizes,
      inputs,
      extents,
      rows: scope.rows,
      lambda: lambdas.length === 0 ? null : lambda,
      brackets: facts.brackets,
    })
    if (typeof extent === 'string') {
      refuse(extent)
      return nothing
    }
    const given = together(extents, 64).length
    const isLarge =
      isCollecting(name, facts.sizes) ||
      placeOfCount(name, inputs, facts.sizes) !== null ||
      lambdas.length > 0 ||
      given > facts.sizes.longestValue
    return extent.length > given
      ? make(expression, name, extent, isLarge ? longest.collected : facts.sizes.longestValue)
      : extent
  }

  const lambdaExtent = ({ names, parts }: Lambda, values: readonly Extent[], scope: Scope): Extent => {
    const locals = names.map((name, at) => [name, values[at] ?? values.at(-1) ?? nothing] as const)
    return together(all(parts, withLocals(scope, locals)))
  }

  const seriesElements = (
    name: string,
    extents: readonly Extent[],
  ): Elements & { readonly count: number; readonly value: Extent } => {
    const [first = nothing, second, step] = extents
    const [from, to] = second === undefined ? [0, first.high] : [first.low, second.high]
    const value = numberOf(from, to)
    const rows = Math.abs(to - from) / Math.max(1, step?.low ?? 1) + 1
    if (!Number.isFinite(rows)) return { count: unknownSeries, value, isKnown: false }
    if (rows - 1 > longestSeries)
      refuse(`it calls ${name} for more than ${longestSeries.toLocaleString('en')} rows`)
    return { count: Math.ceil(rows), value, isKnown: true }
  }

  const elements = (list: Expression, scope: Scope): Elements => {
    if (list.kind === 'paren' || list.kind === 'cast' || list.kind === 'named')
      return elements(list.operand, scope)
    if (list.kind === 'call' && list.name === 'named_argument' && list.inputs[0] !== undefined)
      return elements(list.inputs[0], scope)
    if (list.kind === 'call' && isSeries(list.name) && !facts.givesCalls)
      return seriesElements(list.name, all(list.inputs, scope))
    const { items } = measure(list, scope)
    const isOfData = namesColumn(list) && items <= longestDataList
    return { count: isOfData ? null : Math.max(1, items), value: null, isKnown: !isOfData }
  }

  const queryRows = makeQueryRows({
    sizes: facts.sizes,
    givesCalls: facts.givesCalls,
    measure,
    elements,
    seriesElements,
    refuse,
    isRefused: () => refusal !== null,
  })
  queryRows(statement, emptyScope(facts.names))
  return { refusal, sizedCalls }
}

type Lambda = Extract<Expression, { kind: 'lambda' }>

/** polyglot spells `json_agg` in its own way. */
const plainName = (name: string): string => name.replace('j_s_o_n', 'json')

/** A list comprehension reads as a lambda with more parts. */
const isLambda = (expression: Expression): expression is Lambda =>
  expression.kind === 'lambda' && expression.parts.length < 2

/** A list with more elements than this is none that columns hold. */
const longestDataList = 10 * columnLength

const namesColumn = (expression: Expression): boolean =>
  expression.kind === 'column' || childrenOf(expression).some(namesColumn)

const optional = (expression: Expression | null): readonly Expression[] =>
  expression === null ? [] : [expression]
