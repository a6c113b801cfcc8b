import type { Aggregation } from '../../domain/metrics/semantic-layer.ts'
import type { Dialect } from '../../domain/sql.ts'
import { type SqlToken, sqlTokens } from '../../sql/parse/sql-tokens.ts'

/** An aggregation in the SQL of a term. */
export interface TermAggregate {
  readonly kind: 'aggregate'
  readonly aggregation: Aggregation
  /** Null for rows. */
  readonly expr: string | null
  readonly filter: string | null
}

/** A figure in the SQL of a term: arithmetic over aggregations. */
export type TermFigure =
  | TermAggregate
  | { readonly kind: 'number'; readonly value: number }
  | {
      readonly kind: 'arithmetic'
      readonly operator: '+' | '-' | '*' | '/'
      readonly left: TermFigure
      readonly right: TermFigure
    }

/** What the SQL of a term is: a figure, a condition, or neither. */
export type TermSql =
  | { readonly kind: 'figure'; readonly figure: TermFigure }
  | { readonly kind: 'condition' }
  | { readonly kind: 'other' }

const aggregates: Readonly<Record<string, Aggregation>> = {
  sum: 'sum',
  count: 'count',
  avg: 'avg',
  min: 'min',
  max: 'max',
  median: 'median',
}

/** Functions around a figure that do not change what it means. */
const wrappers = new Set(['round', 'nullif', 'coalesce', 'ifnull', 'cast'])

const comparisons = new Set([
  '=',
  '<',
  '>',
  '<>',
  '!=',
  '<=',
  '>=',
  'like',
  'ilike',
  'in',
  'is',
  'between',
  'exists',
])

/** Reads the SQL of a term. */
export const readTermSql = (sql: string, dialect: Dialect): TermSql => {
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok) return { kind: 'other' }
  const { tokens } = cut
  if (tokens.some(({ value }) => value === 'select' || value === 'over')) return { kind: 'other' }
  const hasAggregate = tokens.some(({ value }, at) => value in aggregates && tokens[at + 1]?.text === '(')
  if (!hasAggregate)
    return tokens.some(({ kind, value }) => kind !== 'string' && comparisons.has(value))
      ? { kind: 'condition' }
      : { kind: 'other' }
  const figure = readFigure(sql, tokens)
  return figure === null ? { kind: 'other' } : { kind: 'figure', figure }
}

/** The tables that SQL names before columns, as written. */
export const tablesInSql = (sql: string, dialect: Dialect): readonly string[] => {
  const cut = sqlTokens(sql, dialect)
  if (!cut.ok) return []
  const isName = (token: SqlToken | undefined): boolean => token?.kind === 'word' || token?.kind === 'quoted'
  const { tokens } = cut
  return [
    ...new Set(
      tokens.flatMap((token, at) =>
        isName(token) &&
        tokens[at + 1]?.text === '.' &&
        isName(tokens[at + 2]) &&
        tokens[at + 3]?.text !== '('
          ? [token.kind === 'quoted' ? token.value : token.text]
          : [],
      ),
    ),
  ]
}

/** Parses arithmetic over aggregations; null for anything else. */
const readFigure = (sql: string, tokens: readonly SqlToken[]): TermFigure | null => {
  let at = 0
  const textAt = (ahead = 0): string | undefined => tokens[at + ahead]?.value
  /** The position of the bracket that closes the one at `open`. */
  const closing = (open: number): number => {
    let depth = 0
    for (let position = open; position < tokens.length; position++) {
      if (tokens[position]!.text === '(') depth += 1
      if (tokens[position]!.text === ')' && --depth === 0) return position
    }
    return -1
  }
  const between = (from: number, until: number): string =>
    from >= until ? '' : sql.slice(tokens[from]!.start, tokens[until - 1]!.end)

  const aggregate = (): TermFigure | null => {
    const aggregation = aggregates[textAt() ?? '']
    const close = closing(at + 1)
    if (aggregation === undefined || close === -1) return null
    let from = at + 2
    const isDistinct = tokens[from]?.value === 'distinct'
    if (isDistinct) from += 1
    const inner = between(from, close)
    at = close + 1
    let filter: string | null = null
    if (textAt() === 'filter' && textAt(1) === '(' && textAt(2) === 'where') {
      const end = closing(at + 1)
      if (end === -1) return null
      filter = between(at + 3, end)
      at = end + 1
    }
    if (inner === '' || (isDistinct && aggregation !== 'count')) return null
    const expr = inner === '*' || (aggregation === 'count' && /^\d+$/.test(inner)) ? null : inner
    return { kind: 'aggregate', aggregation: isDistinct ? 'count_distinct' : aggregation, expr, filter }
  }
  const wrapped = (): TermFigure | null => {
    const close = closing(at + 1)
    at += 2
    const inner = sum()
    const isEnd = at === close || textAt() === ',' || textAt() === 'as'
    if (close === -1 || inner === null || !isEnd) return null
    at = close + 1
    return inner
  }
  const primary = (): TermFigure | null => {
    const token = tokens[at]
    if (token === undefined) return null
    if (token.text === '(') {
      at += 1
      const inner = sum()
      return inner !== null && tokens[at++]?.text === ')' ? inner : null
    }
    if (token.kind === 'number') {
      at += 1
      return { kind: 'number', value: Number(token.text.replaceAll('_', '')) }
    }
    if (textAt(1) !== '(') return null
    return wrappers.has(token.value) ? wrapped() : aggregate()
  }
  const factor = (): TermFigure | null => {
    const found = primary()
    while (found !== null && textAt() === '::') {
      at += 2
      if (textAt() === '(') at = closing(at) + 1
    }
    return found
  }
  const chain = (operators: string, next: () => TermFigure | null) => (): TermFigure | null => {
    let left = next()
    for (
      let operator = textAt();
      left !== null && operator !== undefined && operators.includes(operator);
      operator = textAt()
    ) {
      at += 1
      const right = next()
      left = right && { kind: 'arithmetic', operator: operator as '+', left, right }
    }
    return left
  }
  const product = chain('*/', factor)
  const sum: () => TermFigure | null = chain('+-', product)
  const figure = sum()
  return at === tokens.length ? figure : null
}
