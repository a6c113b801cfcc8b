import type { Aggregation } from '../../domain/metrics/semantic-layer.ts'
import { untranslatable } from './imported-layer.ts'
import { type ImportToken, importTokens } from './sql-parts.ts'

/** A calculation over totals, as written in the SQL of a metric. */
export type Calculation =
  | { readonly kind: 'number'; readonly value: number }
  /** A metric by its name, or a reference in braces. */
  | { readonly kind: 'reference'; readonly text: string }
  | AggregateCall
  | {
      readonly kind: 'arithmetic'
      readonly operator: '+' | '-' | '*' | '/'
      readonly left: Calculation
      readonly right: Calculation
    }

export interface AggregateCall {
  readonly kind: 'aggregate'
  readonly aggregation: Aggregation
  /** SQL; null for rows. */
  readonly argument: string | null
  readonly percentile: number | null
  /** SQL condition of the rows that count; null for all. */
  readonly filter: string | null
}

const simple: Readonly<Record<string, Aggregation>> = {
  sum: 'sum',
  count: 'count',
  avg: 'avg',
  average: 'avg',
  mean: 'avg',
  min: 'min',
  max: 'max',
  median: 'median',
  approx_count_distinct: 'count_distinct',
  approx_distinct: 'count_distinct',
  hll: 'count_distinct',
  approx_median: 'median',
}

/** Functions of a total that only guard it, round it or change its type. */
const wrappers =
  /^(nullif|coalesce|ifnull|nvl|zeroifnull|nullifzero|round|float|double|float64|to_double|to_number|to_decimal)$/

/** Reads the SQL of a metric. Throws `UntranslatableError` at anything but arithmetic over aggregates and metrics. */
export const readCalculation = (sql: string): Calculation => {
  const reader = makeReader(sql, importTokens(sql.trim().replace(/;+$/, '') === '' ? '' : sql))
  const calculation = reader.sum()
  reader.end()
  return calculation
}

const makeReader = (sql: string, tokens: readonly ImportToken[]) => {
  let at = 0
  const peek = (ahead = 0): string => tokens[at + ahead]?.text.toLowerCase() ?? ''
  const fail = (): never =>
    untranslatable(
      `It is not plain arithmetic over sums, counts and other metrics (${shortened(sql)}). Split it into metrics, or add a column to a view.`,
    )
  const expect = (text: string): void => {
    if (peek() !== text) fail()
    at++
  }
  const textOf = (from: number, until: number): string =>
    from >= until ? '' : sql.slice(tokens[from]!.start, tokens[until - 1]!.end)

  /** The position of the bracket that closes the one before `from`. */
  const closing = (from: number): number => {
    let depth = 1
    for (let index = from; index < tokens.length; index++) {
      if (tokens[index]!.text === '(') depth++
      if (tokens[index]!.text === ')') depth--
      if (depth === 0) return index
    }
    return fail()
  }
  /** Where the arguments from `from` to `until` begin and end. */
  const argumentsOf = (from: number, until: number): readonly (readonly [number, number])[] => {
    const list: [number, number][] = []
    let depth = 0
    let start = from
    for (let index = from; index < until; index++) {
      const { text } = tokens[index]!
      if (text === '(') depth++
      if (text === ')') depth--
      if (text === ',' && depth === 0) {
        list.push([start, index])
        start = index + 1
      }
    }
    return until > from ? [...list, [start, until]] : []
  }
  const inner = ([from, until]: readonly [number, number]): Calculation =>
    readCalculation(textOf(from, until))

  const factor = (): Calculation => {
    const found = bare()
    // The type of a cast: `::numeric(10, 2)`.
    while (peek() === '::') {
      at += 2
      if (peek() === 'precision') at++
      if (peek() === '(') at = closing(at + 1) + 1
    }
    if (peek() === 'over') untranslatable('It uses a window function, which a metric cannot.')
    return found
  }

  const bare = (): Calculation => {
    const token = tokens[at]
    if (token === undefined) return fail()
    if (token.text === '(') {
      at++
      const found = sum()
      expect(')')
      return found
    }
    if (token.text === '-') {
      at++
      return { kind: 'arithmetic', operator: '-', left: { kind: 'number', value: 0 }, right: factor() }
    }
    if (token.text === '+') {
      at++
      return factor()
    }
    if (token.kind === 'number') {
      at++
      return { kind: 'number', value: Number(token.text) }
    }
    if (token.kind === 'reference') {
      at++
      return { kind: 'reference', text: token.text }
    }
    if (peek() === 'case') return caseGuard()
    if (token.kind !== 'word' && token.kind !== 'quoted') return fail()
    if (peek(1) === '(') return call()
    const from = at++
    while (peek() === '.') at += 2
    return { kind: 'reference', text: textOf(from, at) }
  }

  const call = (): Calculation => {
    const name = peek()
    const from = at + 2
    const close = closing(from)
    const parameters = argumentsOf(from, close)
    at = close + 1
    const [first, second] = parameters
    if (name === 'div0' || name === 'div0null' || name === 'safe_divide' || name === 'divide') {
      if (!first || !second) return fail()
      return { kind: 'arithmetic', operator: '/', left: inner(first), right: inner(second) }
    }
    if (name === 'cast' || name === 'try_cast' || name === 'safe_cast') {
      const as = tokens.findIndex(
        (token, index) =>
          index > from && index < close && /^as$/i.test(token.text) && depthAt(from, index) === 0,
      )
      return as === -1 ? fail() : inner([from, as])
    }
    if (wrappers.test(name)) {
      if (!first) return fail()
      if (/^(nullif|coalesce|ifnull|nvl)$/.test(name) && !/^0(\.0+)?$/.test(second ? textOf(...second) : ''))
        return fail()
      return inner(first)
    }
    if (name === 'iff' || name === 'if') {
      const [, , third] = parameters
      return first && second ? guarded(textOf(...first), second, third ?? null) : fail()
    }
    return aggregate(name, parameters, [from, close])
  }

  const depthAt = (from: number, until: number): number =>
    tokens
      .slice(from, until)
      .reduce((depth, { text }) => depth + (text === '(' ? 1 : text === ')' ? -1 : 0), 0)

  const aggregate = (
    name: string,
    parameters: readonly (readonly [number, number])[],
    [from, close]: readonly [number, number],
  ): Calculation => {
    const [first, second] = parameters
    if (/^percentile_(cont|disc)$/.test(name)) {
      const fraction = first ? Number(textOf(...first)) : Number.NaN
      expect('within')
      expect('group')
      expect('(')
      const end = closing(at)
      expect('order')
      expect('by')
      const argument = textOf(at, end).replace(/\s+(asc|desc)$/i, '')
      at = end + 1
      return Number.isNaN(fraction)
        ? fail()
        : { ...percentileOf(fraction), argument: checkedArgument(argument), filter: filterOf() }
    }
    if (/^(approx_percentile|quantile_cont|approx_quantile|percentile)$/.test(name) && first && second) {
      const fraction = Number(textOf(...second))
      return Number.isNaN(fraction)
        ? fail()
        : { ...percentileOf(fraction), argument: checkedArgument(textOf(...first)), filter: filterOf() }
    }
    if (/^(count_if|countif)$/.test(name))
      return {
        kind: 'aggregate',
        aggregation: 'count',
        argument: null,
        percentile: null,
        filter: checkedArgument(textOf(from, close)),
      }
    const aggregation = simple[name]
    if (aggregation === undefined)
      return untranslatable(
        `It uses ${name.toUpperCase()}, which Querent has no counterpart for. Add the value as a column of a view.`,
      )
    const isDistinct = tokens[from]?.text.toLowerCase() === 'distinct'
    if (isDistinct && aggregation !== 'count')
      return untranslatable(
        `It adds up distinct values only (${name.toUpperCase()} DISTINCT). Define it where each value is one row.`,
      )
    const argument = checkedArgument(textOf(isDistinct ? from + 1 : from, close))
    const isRows = aggregation === 'count' && !isDistinct && /^(\*|1|)$/.test(argument.trim())
    return {
      kind: 'aggregate',
      aggregation: isDistinct ? 'count_distinct' : aggregation,
      argument: isRows ? null : argument,
      percentile: null,
      filter: filterOf(),
    }
  }

  /** `FILTER (WHERE condition)` behind an aggregate. */
  const filterOf = (): string | null => {
    if (peek() !== 'filter' || peek(1) !== '(' || peek(2) !== 'where') return null
    const end = closing(at + 2)
    const text = textOf(at + 3, end)
    at = end + 1
    return checkedArgument(text)
  }

  /** `CASE WHEN b = 0 THEN NULL ELSE a / b END`, which says no more than `a / b`. */
  const caseGuard = (): Calculation => {
    const marks: { word: string; at: number }[] = []
    let depth = 0
    let end = at
    for (; end < tokens.length; end++) {
      const word = tokens[end]!.text.toLowerCase()
      if (word === 'case') depth++
      if (word === 'end') depth--
      if (depth === 0) break
      if (depth === 1 && /^(when|then|else)$/.test(word)) marks.push({ word, at: end })
    }
    const [when, then, otherwise, more] = marks
    if (!when || then?.word !== 'then' || more || (otherwise && otherwise.word !== 'else')) return fail()
    at = end + 1
    return guarded(
      textOf(when.at + 1, then.at),
      [then.at + 1, otherwise?.at ?? end],
      otherwise ? [otherwise.at + 1, end] : null,
    )
  }

  const guarded = (
    condition: string,
    then: readonly [number, number],
    otherwise: readonly [number, number] | null,
  ): Calculation => {
    const isNothing = (range: readonly [number, number] | null): boolean =>
      range === null || /^(0(\.0+)?|null)$/i.test(textOf(...range))
    const tests = (word: RegExp): readonly string[] =>
      condition.split(word).map(test => test.replace(/[()]/g, ' ').trim())
    const isZeroTest = (test: string): boolean => /(^|[^<>!])=\s*0(\.0+)?$|\bis\s+null$/i.test(test)
    const isOtherTest = (test: string): boolean => /(>|<>|!=)\s*0(\.0+)?$|\bis\s+not\s+null$/i.test(test)
    if (tests(/\bor\b/i).every(isZeroTest) && isNothing(then) && otherwise) return inner(otherwise)
    if (tests(/\band\b/i).every(isOtherTest) && isNothing(otherwise)) return inner(then)
    return fail()
  }

  const chain =
    (operators: string, next: () => Calculation): (() => Calculation) =>
    () => {
      let left = next()
      for (let operator = peek(); operator !== '' && operators.includes(operator); operator = peek()) {
        at++
        left = { kind: 'arithmetic', operator: operator as '+', left, right: next() }
      }
      return left
    }
  const product = chain('*/', factor)
  const sum: () => Calculation = chain('+-', product)
  return { sum, end: () => void (at < tokens.length && fail()) }
}

const percentileOf = (fraction: number) =>
  fraction === 0.5
    ? ({ kind: 'aggregate', aggregation: 'median', percentile: null } as const)
    : ({ kind: 'aggregate', aggregation: 'percentile', percentile: fraction } as const)

/** What is aggregated must be a value of each row. */
const checkedArgument = (text: string): string => {
  if (/\bselect\b/i.test(text))
    untranslatable('It contains a subquery. Add the value as a column of a view and use that column.')
  if (/\bover\s*\(/i.test(text) || /\b(sum|count|avg|min|max|median)\s*\(/i.test(text))
    untranslatable('It aggregates an aggregate. Add the inner one as a column of a view.')
  return text
}

const shortened = (sql: string): string => {
  const line = sql.replace(/\s+/g, ' ').trim()
  return line.length > 70 ? `${line.slice(0, 69)}…` : line
}

/** A calculation without factors of 1, which are only there to make a division decimal. */
export const withoutOnes = (calculation: Calculation): Calculation => {
  if (calculation.kind !== 'arithmetic') return calculation
  const { operator } = calculation
  const [left, right] = [withoutOnes(calculation.left), withoutOnes(calculation.right)]
  const isOne = (side: Calculation): boolean => side.kind === 'number' && side.value === 1
  if (operator === '*' && isOne(left) && right.kind !== 'number') return right
  if ((operator === '*' || operator === '/') && isOne(right) && left.kind !== 'number') return left
  // (1 * a) / b is read as 1 * a / b.
  return { kind: 'arithmetic', operator, left, right }
}

/** The two sides of `100 * a / b` or `a / b * 100`; null if a calculation is something else. */
export const percentSides = (
  calculation: Calculation,
): { readonly numerator: Calculation; readonly denominator: Calculation } | null => {
  if (calculation.kind !== 'arithmetic') return null
  const isHundred = (side: Calculation): boolean => side.kind === 'number' && side.value === 100
  const { operator, left, right } = calculation
  if (operator === '/' && left.kind === 'arithmetic' && left.operator === '*') {
    if (isHundred(left.left)) return { numerator: left.right, denominator: right }
    if (isHundred(left.right)) return { numerator: left.left, denominator: right }
  }
  if (operator !== '*') return null
  const [factor, other] = isHundred(left) ? [left, right] : [right, left]
  return isHundred(factor) && other.kind === 'arithmetic' && other.operator === '/'
    ? { numerator: other.left, denominator: other.right }
    : null
}
