import { splitName } from '../lib/fold-text.ts'
import { toSingular } from '../lib/stem-word.ts'
import type { ComparisonOutline, OutlineExpression, QueryOutline } from '../sql/outline/query-outline.ts'

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

/** An expression in plain words: `name`, `number of different cities`, `age is more than 20`. */
export const describeExpression = (expression: OutlineExpression, saying: PhraseOptions): string => {
  const say = (part: OutlineExpression): string => describeExpression(part, saying)
  switch (expression.kind) {
    case 'column': {
      const words = splitName(expression.column).join(' ') || expression.column
      return saying.tables && expression.table !== null
        ? `${words} of the ${describeTable(expression.table)}`
        : words
    }
    case 'star':
      return expression.table === null ? 'everything' : `everything of the ${describeTable(expression.table)}`
    case 'value':
      return expression.value === '' ? 'empty' : expression.value
    case 'call':
      return describeCall(expression, say)
    case 'comparison':
      return describeComparison(expression, say, saying)
    case 'logic':
      return expression.parts.map(say).join(` ${expression.operator} `)
    case 'not':
      return `not ${say(expression.part)}`
    case 'query':
      return describeQuery(expression.query, saying)
    case 'other':
      return expression.text
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

const describeCall = (
  { name, args, distinct }: Extract<OutlineExpression, { kind: 'call' }>,
  say: (part: OutlineExpression) => string,
): string => {
  const [first, second] = args
  if (name === 'count') {
    if (first === undefined || first.kind === 'star') return 'number of rows'
    return `number of ${distinct ? 'different ' : ''}${say(first)}`
  }
  const aggregate = aggregates[name]
  if (aggregate !== undefined && first !== undefined)
    return `${aggregate} ${distinct ? 'different ' : ''}${say(first)}`
  if (/^\W+$/.test(name) && first !== undefined && second !== undefined)
    return `${say(first)} ${name} ${say(second)}`
  return `${name.replaceAll('_', ' ')} of ${args.map(say).join(', ')}`
}

/** The operator in words, and in words when it is denied. */
const operators: Readonly<Partial<Record<ComparisonOutline['operator'], readonly [string, string]>>> = {
  '=': ['is', 'is not'],
  '<>': ['is not', 'is'],
  '<': ['is less than', 'is at least'],
  '<=': ['is at most', 'is more than'],
  '>': ['is more than', 'is at most'],
  '>=': ['is at least', 'is less than'],
}

const describeComparison = (
  { operator, negated, left, right }: ComparisonOutline,
  say: (part: OutlineExpression) => string,
  saying: PhraseOptions,
): string => {
  const [first, second] = right
  const not = negated ? 'not ' : ''
  switch (operator) {
    case 'null':
      return `${say(left)} is ${negated ? 'known' : 'not known'}`
    case 'exists':
      return `${negated ? 'with no' : 'with a'} ${left.kind === 'query' ? describeRows(left.query, saying) : say(left)}`
    case 'between':
      return `${say(left)} is ${not}from ${first ? say(first) : ''} to ${second ? say(second) : ''}`
    case 'in':
      return first?.kind === 'query'
        ? `${negated ? 'with no' : 'with a'} ${describeRows(first.query, saying)}`
        : `${say(left)} is ${negated ? 'none of' : 'one of'} ${right.map(say).join(', ')}`
    case 'like':
      return `${say(left)} ${describePattern(first, negated, say)}`
    default: {
      const words = operators[operator]
      return `${say(left)} ${words?.[negated ? 1 : 0] ?? operator} ${first ? say(first) : ''}`
    }
  }
}

const describePattern = (
  pattern: OutlineExpression | undefined,
  negated: boolean,
  say: (part: OutlineExpression) => string,
): string => {
  if (pattern?.kind !== 'value') return `${negated ? 'is not' : 'is'} like ${pattern ? say(pattern) : ''}`
  const { value } = pattern
  const text = value.replace(/^%|%$/g, '')
  if (/[%_]/.test(text)) return `${negated ? 'is not' : 'is'} like ${value}`
  const [plain, denied] =
    value.startsWith('%') && value.endsWith('%')
      ? ['contains', 'does not contain']
      : value.endsWith('%')
        ? ['begins with', 'does not begin with']
        : ['ends with', 'does not end with']
  return `${negated ? denied : plain} ${text}`
}

/** What a query selects, for inside a condition: `the highest age`, `singer id of concert where year is 2014`. */
const describeQuery = (query: QueryOutline, saying: PhraseOptions): string => {
  if (query.kind === 'set')
    return `${describeQuery(query.left, saying)} ${setWords[query.operator]} ${describeQuery(query.right, saying)}`
  const outputs = query.outputs.map(output => describeExpression(output, saying)).join(', ')
  return `${outputs}${describeFilters(query, saying)}`
}

export const setWords = { union: 'or', intersect: 'and also', except: 'but not' } as const

/** The rows that a query has, by their tables: `treatment where cost is more than 5`. */
const describeRows = (query: QueryOutline, saying: PhraseOptions): string => {
  if (query.kind === 'set')
    return `${describeRows(query.left, saying)} ${setWords[query.operator]} ${describeRows(query.right, saying)}`
  const tables = query.sources
    .flatMap(({ table }) => (table === null ? [] : [describeTable(table)]))
    .join(' with ')
  return `${tables || 'row'}${describeFilters(query, saying)}`
}

const describeFilters = (query: Extract<QueryOutline, { kind: 'select' }>, saying: PhraseOptions): string => {
  const filters = [...query.conditions, ...query.having].map(condition =>
    describeExpression(condition, saying),
  )
  return filters.length === 0 ? '' : ` where ${filters.join(' and ')}`
}
