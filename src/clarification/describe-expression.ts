import { splitName } from '../lib/fold-text.ts'
import { formatPeriod } from '../lib/format-figure.ts'
import { toSingular } from '../lib/stem-word.ts'
import { conjunctsOf, splitConditions } from '../sql/analyze/query-key.ts'
import { childrenOf } from '../sql/tree/children.ts'
import type { Comparison, Expression, QueryTree, SelectTree } from '../sql/tree/query-tree.ts'

/** Whether columns are said with their tables (`name of the singer`), which only some choices need. */
export interface PhraseOptions {
  readonly tables: boolean
}

/** A table in words, in the singular: `order line`. */
export const describeTable = (table: string): string => {
  const words = [...splitName(table)]
  const last = words.pop() ?? table
  return [...words, toSingular(last)].join(' ')
}

/** An expression of a comparable query in plain words: `name`, `number of different cities`, `age over 20`. */
export const describeExpression = (expression: Expression, saying: PhraseOptions): string => {
  const say = (part: Expression): string => describeExpression(part, saying)
  switch (expression.kind) {
    case 'column': {
      const words = splitName(expression.name).join(' ') || expression.name
      return saying.tables && expression.qualifier !== null
        ? `${words} of the ${describeTable(expression.qualifier)}`
        : words
    }
    case 'star':
      return expression.qualifier === null
        ? 'everything'
        : `everything of the ${describeTable(expression.qualifier)}`
    case 'text':
    case 'number':
      return expression.value === '' ? 'empty' : expression.value
    case 'constant':
      return expression.value === 'null' ? 'nothing' : expression.value
    case 'aggregate':
      return describeAggregate(expression, say)
    case 'call':
      return describeCall(expression.name, expression.inputs.map(say))
    case 'window': {
      const within = expression.partitionBy.map(say).join(' and ')
      return `${say(expression.call)}${within && ` within each ${within}`}`
    }
    case 'arithmetic':
      return `${say(expression.left)} ${expression.operator} ${say(expression.right)}`
    case 'compare':
    case 'between':
    case 'in':
    case 'null-test':
    case 'exists':
      return describeComparison(expression, false, saying)
    case 'not':
      return expression.operand.kind === 'compare'
        ? describeComparison(expression.operand, true, saying)
        : `not ${say(expression.operand)}`
    case 'and':
    case 'or':
      return expression.operands.map(say).join(` ${expression.kind} `)
    case 'case': {
      const branches = expression.branches.map(({ when, value }) => `${say(value)} if ${say(when)}`)
      return [
        ...branches,
        ...(expression.otherwise === null ? [] : [`else ${say(expression.otherwise)}`]),
      ].join(', ')
    }
    case 'subquery':
      return describeQuery(expression.query, saying)
    // A comparable query has none of these.
    case 'moment':
    case 'truncate':
    case 'date-part':
    case 'shift':
    case 'elapsed':
    case 'ratio':
    case 'percentile':
    case 'fragment':
    case 'paren':
    case 'cast':
    case 'is':
    case 'truth-test':
    case 'interval':
    case 'field':
    case 'named':
    case 'lambda':
    case 'type':
    case 'group':
    case 'unclear':
      return childrenOf(expression).map(say).join(' and ')
    default: {
      const never: never = expression
      return never
    }
  }
}

const aggregates: Readonly<Record<string, string>> = {
  sum: 'total',
  total: 'total',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
}

const describeAggregate = (
  { name, distinct, argument, others, filter }: Extract<Expression, { kind: 'aggregate' }>,
  say: (part: Expression) => string,
): string => {
  const different = distinct ? 'different ' : ''
  const where = filter === null ? '' : ` where ${say(filter)}`
  if (name === 'count') return `number of ${argument === null ? 'rows' : different + say(argument)}${where}`
  const inside = argument === null ? 'everything' : say(argument)
  const word = aggregates[name]
  return word === undefined
    ? `${describeCall(name, [inside, ...others.map(say)])}${where}`
    : `${word} ${different}${inside}${where}`
}

const describeCall = (name: string, [first, ...more]: readonly string[]): string => {
  if (first === undefined) return name.replaceAll('_', ' ')
  if (/^\W+$/.test(name) && more.length === 1) return `${first} ${name} ${more[0]}`
  return `${name.replaceAll('_', ' ')} of ${[first, ...more].join(', ')}`
}

const isoDay = /^\d{4}-\d{2}-\d{2}(?:[T ]00:00(?::00)?)?$/

const dayOperators: typeof operators = {
  '=': ['on', 'not on'],
  '<>': ['not on', 'on'],
  '<': ['before', 'since'],
  '<=': ['until', 'after'],
  '>': ['after', 'until'],
  '>=': ['since', 'before'],
}

/** The operator in words, and in words when it is denied. */
const operators: Readonly<Partial<Record<Comparison, readonly [string, string]>>> = {
  '=': ['', 'not'],
  '<>': ['not', ''],
  '<': ['under', 'at least'],
  '<=': ['up to', 'over'],
  '>': ['over', 'up to'],
  '>=': ['at least', 'under'],
}

const describeComparison = (
  comparison: Extract<Expression, { kind: 'compare' | 'between' | 'in' | 'null-test' | 'exists' }>,
  denied: boolean,
  saying: PhraseOptions,
): string => {
  const say = (part: Expression): string => describeExpression(part, saying)
  switch (comparison.kind) {
    case 'null-test':
      return `${comparison.negated ? 'with' : 'without'} ${say(comparison.operand)}`
    case 'exists':
      return `${comparison.negated ? 'with no' : 'with a'} ${describeRows(comparison.query, saying)}`
    case 'between': {
      const { operand, low, high, negated } = comparison
      return `${say(operand)} ${negated ? 'not ' : ''}from ${say(low)} to ${say(high)}`
    }
    case 'in': {
      const { operand, among, negated } = comparison
      return 'kind' in among
        ? `${negated ? 'with no' : 'with a'} ${describeRows(among, saying)}`
        : `${say(operand)} ${negated ? 'not ' : ''}${among.map(say).join(' or ')}`
    }
    case 'compare': {
      const { operator, quantifier, left, right } = comparison
      if (operator === 'like' || operator === 'not like')
        return `${say(left)} ${describePattern(right, denied !== (operator === 'not like'), say)}`
      const isDay = right.kind === 'text' && isoDay.test(right.value)
      const words = (isDay ? dayOperators : operators)[operator]?.[denied ? 1 : 0] ?? operator
      const value = isDay ? (formatPeriod(right.value, 'day') ?? right.value) : say(right)
      return [say(left), words, quantifier ?? '', value].filter(word => word !== '').join(' ')
    }
    default: {
      const never: never = comparison
      return never
    }
  }
}

const describePattern = (
  pattern: Expression,
  negated: boolean,
  say: (part: Expression) => string,
): string => {
  if (pattern.kind !== 'text') return `${negated ? 'not ' : ''}like ${say(pattern)}`
  const { value } = pattern
  const text = value.replace(/^%|%$/g, '')
  if (/[%_]/.test(text)) return `${negated ? 'not ' : ''}like ${value}`
  const [plain, denied] =
    value.startsWith('%') && value.endsWith('%')
      ? ['with', 'without']
      : value.endsWith('%')
        ? ['starting with', 'not starting with']
        : ['ending in', 'not ending in']
  return `${negated ? denied : plain} ${text}`
}

/** What a query selects, for inside a condition: `highest age`, `singer id with year 2014`. */
const describeQuery = (query: QueryTree, saying: PhraseOptions): string => {
  if (query.kind === 'set')
    return `${describeQuery(query.left, saying)} ${setWords[query.operator]} ${describeQuery(query.right, saying)}`
  const outputs = query.outputs.map(({ expression }) => describeExpression(expression, saying)).join(', ')
  return `${outputs}${describeFilters(query, saying)}`
}

export const setWords = { union: 'or', intersect: 'and also', except: 'but not' } as const

/** The rows that a query has, by their tables: `treatment with cost over 5`. */
const describeRows = (query: QueryTree, saying: PhraseOptions): string => {
  if (query.kind === 'set')
    return `${describeRows(query.left, saying)} ${setWords[query.operator]} ${describeRows(query.right, saying)}`
  const tables = query.from
    .flatMap(({ source }) => (source.kind === 'table' ? [describeTable(source.name)] : []))
    .join(' with ')
  return `${tables || 'row'}${describeFilters(query, saying)}`
}

const describeFilters = (query: SelectTree, saying: PhraseOptions): string => {
  const filters = filtersOf(query).map(condition => describeExpression(condition, saying))
  return filters.length === 0 ? '' : ` with ${filters.join(' and ')}`
}

/** The conditions on rows and groups, without those that join. */
export const filtersOf = (query: SelectTree): readonly Expression[] => [
  ...splitConditions(query).conditions,
  ...conjunctsOf(query.having),
]
