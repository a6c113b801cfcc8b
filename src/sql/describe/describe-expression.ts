import type { ValueKind } from '../../domain/result.ts'
import { childrenOf } from '../tree/children.ts'
import type { AggregateName, Expression } from '../tree/query-tree.ts'
import { describeCondition } from './describe-condition.ts'
import { describeNested } from './describe-query.ts'
import { rowTable } from './joins.ts'
import { type NameScope, resolveName } from './name-scope.ts'
import { columnNoun, makeSplitCatalogName, pluralHead, spelledOut, tableNouns } from './nouns.ts'

/** An expression as a noun phrase without an article at its head: `average age`, `name of the singer`, `“France”`. */
export const describeExpression = (expression: Expression, names: NameScope): string => {
  switch (expression.kind) {
    case 'column': {
      const meaning = resolveName(expression, names, true)
      switch (meaning.kind) {
        case 'column':
          return columnNoun(meaning.table, meaning.column, names)
        case 'expression':
          return isNamed(meaning.label)
            ? spelledOut(makeSplitCatalogName(names.catalog)(meaning.label))
            : describeExpression(meaning.expression, meaning.names)
        case 'text':
          return quoted(meaning.value)
        case 'unknown':
          return spelledOut(makeSplitCatalogName(names.catalog)(expression.name))
        default: {
          const never: never = meaning
          return never
        }
      }
    }
    case 'star':
      return 'all columns'
    case 'text':
      return quoted(expression.value)
    case 'number':
      return expression.value
    case 'constant':
      return expression.value === 'null' ? 'nothing' : expression.value
    case 'aggregate':
      return describeAggregate(expression, names)
    case 'call':
      return describeCall(expression, names)
    case 'window': {
      const within =
        expression.partitionBy.length === 0
          ? ''
          : ` within each ${joinWords(expression.partitionBy.map(one => describeExpression(one, names)))}`
      const by =
        expression.orderBy.length === 0
          ? ''
          : ` by ${joinWords(expression.orderBy.map(one => describeExpression(one.expression, names)))}`
      const call = describeExpression(expression.call, names)
      return `${call === 'row number' ? 'place' : call}${by}${within}`
    }
    case 'arithmetic':
      return `${side(expression.left, names)} ${operators[expression.operator]} ${side(expression.right, names)}`
    case 'subquery':
      return describeNested(expression.query, names)
    case 'case': {
      const branches = expression.branches.map(
        ({ when, value }) => `${describeExpression(value, names)} if ${describeCondition(when, names)}`,
      )
      const rest =
        expression.otherwise === null ? '' : `, else ${describeExpression(expression.otherwise, names)}`
      return `${branches.join(', ')}${rest}`
    }
    case 'compare':
    case 'and':
    case 'or':
    case 'not':
    case 'between':
    case 'in':
    case 'null-test':
    case 'exists':
    case 'is':
    case 'truth-test':
      return `whether ${describeCondition(expression, names)}`
    // A plain query has none of these.
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
    case 'interval':
    case 'field':
    case 'named':
    case 'lambda':
    case 'type':
    case 'group':
    case 'unclear':
      return joinWords(childrenOf(expression).map(one => describeExpression(one, names)))
    default: {
      const never: never = expression
      return never
    }
  }
}

const operators = {
  '+': 'plus',
  '-': 'minus',
  '*': 'times',
  '/': 'divided by',
  '%': 'modulo',
  '||': 'followed by',
} as const

const side = (expression: Expression, names: NameScope): string => {
  const words = describeExpression(expression, names)
  return expression.kind === 'arithmetic' ? `(${words})` : words
}

/** A text as people quote it. */
export const quoted = (value: string): string => `“${value}”`

/** Short names such as `n` or `c1` say nothing to a reader. */
const isNamed = (label: string): boolean => label.length > 2 && !/\d$/.test(label)

/** What kind of value an expression gives, as far as it is a column's. */
export const kindOf = (expression: Expression, names: NameScope): ValueKind => {
  if (expression.kind === 'aggregate')
    return expression.fn === 'min' || expression.fn === 'max'
      ? expression.argument === null
        ? 'number'
        : kindOf(expression.argument, names)
      : 'number'
  if (expression.kind === 'number') return 'number'
  if (expression.kind !== 'column') return 'unknown'
  const meaning = resolveName(expression, names, true)
  if (meaning.kind === 'column') return meaning.column.kind
  return meaning.kind === 'expression' ? kindOf(meaning.expression, meaning.names) : 'unknown'
}

/** True for days and moments, of which people say "after" and "latest". */
export const isMoment = (kind: ValueKind): boolean => kind === 'date' || kind === 'timestamp'

const describeAggregate = (
  { fn, distinct, argument, filter }: Extract<Expression, { kind: 'aggregate' }>,
  names: NameScope,
): string => {
  const where = filter === null ? '' : ` where ${describeCondition(filter, names)}`
  if (fn === 'count') return `${countWords(argument, distinct, names)}${where}`
  const moment = argument !== null && isMoment(kindOf(argument, names))
  const head = moment && fn === 'min' ? 'earliest' : moment && fn === 'max' ? 'latest' : heads[fn]
  const of = argument === null ? 'rows' : describeExpression(argument, names)
  return `${head} ${distinct && fn !== 'min' && fn !== 'max' ? 'different ' : ''}${of}${where}`
}

const heads: Readonly<Record<Exclude<AggregateName, 'count'>, string>> = {
  sum: 'total',
  avg: 'average',
  min: 'lowest',
  max: 'highest',
  median: 'median',
  deviation: 'standard deviation of',
  listed: 'list of',
}

const countWords = (argument: Expression | null, distinct: boolean, names: NameScope): string => {
  const counted = names.select === null ? null : rowTable(names.select, names)
  const rows = counted === null ? 'rows' : tableNouns(counted, names)
  if (argument === null || argument.kind === 'number') return `number of ${rows}`
  const meaning = argument.kind === 'column' ? resolveName(argument, names) : null
  const isKey =
    meaning?.kind === 'column' &&
    meaning.table.primaryKey.length === 1 &&
    meaning.table.primaryKey[0] === meaning.column.name
  // Counting keys is counting rows: once each with DISTINCT, and in the key's own table also without.
  if (isKey && (distinct || meaning.table === counted)) {
    const word = distinct && meaning.table !== counted ? 'different ' : ''
    return `number of ${word}${tableNouns(meaning.table, names)}`
  }
  const words = describeExpression(argument, names)
  if (distinct) return `number of different ${pluralHead(words)}`
  return `number of ${rows} with a known ${words}`
}

/** A call of a function that is no aggregate; what only changes how a value is written is not spoken of. */
const describeCall = ({ name, inputs }: Extract<Expression, { kind: 'call' }>, names: NameScope): string => {
  const words = inputs.map(input => describeExpression(input, names))
  const [first, second] = inputs
  if (silent.has(name)) return words[0] ?? name
  if (dateParts.has(name) && inputs.length === 1)
    return `${name.replace(/s$/, '')} of ${withArticle(words[0])}`
  if (name === 'date_trunc' && first?.kind === 'text')
    return `${first.value.toLowerCase()} of ${withArticle(words[1])}`
  const format = name === 'strftime' || name === 'date_format' || name === 'to_char'
  const pattern = [first, second].find(one => one?.kind === 'text')
  if (format && pattern?.kind === 'text') {
    const unit = formatUnits.find(([expression]) => expression.test(pattern.value))?.[1]
    const other = inputs.findIndex(one => one !== pattern)
    if (unit !== undefined && other >= 0) return `${unit} of ${withArticle(words[other])}`
  }
  const fixed = present.get(name)
  if (fixed !== undefined) return fixed
  if (name === 'coalesce' || name === 'ifnull') return words[0] ?? name
  if (name === 'length' || name === 'char_length') return `length of ${withArticle(words[0])}`
  if (name === 'abs') return `${words[0]} without its sign`
  if (name === 'negative') return `minus ${words[0]}`
  if (name === 'nullif') return `${words[0]} unless it is ${words[1]}`
  if (name === 'row_number') return 'row number'
  if (name === 'rank' || name === 'dense_rank') return 'rank'
  return inputs.length === 0 ? `${name}()` : `${name}(${words.join(', ')})`
}

/** `today` and values take no article. */
const withArticle = (words = ''): string => (/^(?:today|now|[“\d])/.test(words) ? words : `the ${words}`)

/** Functions that leave a value what it is to a reader. */
const silent: ReadonlySet<string> = new Set(
  'lower upper trim btrim ltrim rtrim l_trim r_trim round date timestamp datetime cast to_date to_timestamp'.split(
    ' ',
  ),
)

const dateParts: ReadonlySet<string> = new Set(
  'year month day quarter week hour minute second dow weekday years months days hours'.split(' '),
)

const formatUnits: readonly (readonly [RegExp, string])[] = [
  [/^(?:%Y|YYYY)$/, 'year'],
  [/^(?:%m|MM|%B|%b|Month|Mon)$/, 'month'],
  [/^(?:%Y-%m|YYYY-MM)$/, 'month'],
  [/^(?:%d|DD)$/, 'day'],
  [/^(?:%Y-%m-%d|YYYY-MM-DD)$/, 'day'],
  [/^(?:%w|%W|%u)$/, 'week'],
  [/^(?:%H|HH24)$/, 'hour'],
]

const present: ReadonlyMap<string, string> = new Map([
  ['now', 'now'],
  ['current_timestamp', 'now'],
  ['current_date', 'today'],
  ['curdate', 'today'],
])

/** Puts words together as English does: `a, b and c`. */
export const joinWords = (words: readonly string[], last: 'and' | 'or' = 'and'): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
