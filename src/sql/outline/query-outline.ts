/** An expression with what every dialect writes alike told alike: brackets, casts and aliases are gone. */
export type OutlineExpression =
  /** `table` is the real name, lower case; null where neither the text nor the catalog tells it. */
  | { readonly kind: 'column'; readonly table: string | null; readonly column: string }
  | { readonly kind: 'star'; readonly table: string | null }
  | { readonly kind: 'value'; readonly value: string; readonly type: 'text' | 'number' }
  /** A function or an operator of arithmetic, its name in lower case. */
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: readonly OutlineExpression[]
      readonly distinct: boolean
    }
  | ComparisonOutline
  | { readonly kind: 'logic'; readonly operator: 'and' | 'or'; readonly parts: readonly OutlineExpression[] }
  | { readonly kind: 'not'; readonly part: OutlineExpression }
  | { readonly kind: 'query'; readonly query: QueryOutline }
  /** Whatever else, as text. */
  | { readonly kind: 'other'; readonly text: string }

export type ComparisonOperator =
  | '='
  | '<>'
  | '<'
  | '<='
  | '>'
  | '>='
  | 'like'
  | 'in'
  | 'between'
  | 'null'
  | 'exists'

/** `right` are the values of a list, the two bounds of a range, one expression, or nothing. */
export interface ComparisonOutline {
  readonly kind: 'comparison'
  readonly operator: ComparisonOperator
  readonly negated: boolean
  readonly left: OutlineExpression
  readonly right: readonly OutlineExpression[]
}

export interface SourceOutline {
  /** Name of the table in lower case; null for a subquery. */
  readonly table: string | null
  readonly query: QueryOutline | null
  /** `outer` keeps rows of one side that have no partner. */
  readonly join: 'inner' | 'outer'
}

export interface OrderOutline {
  readonly expression: OutlineExpression
  readonly descending: boolean
}

/** One SELECT. Conditions are the parts of its ANDs; those that join two columns are `links`, wherever they stand. */
export interface SelectOutline {
  readonly kind: 'select'
  readonly distinct: boolean
  readonly outputs: readonly OutlineExpression[]
  readonly sources: readonly SourceOutline[]
  readonly links: readonly OutlineExpression[]
  readonly conditions: readonly OutlineExpression[]
  readonly groupBy: readonly OutlineExpression[]
  readonly having: readonly OutlineExpression[]
  readonly orderBy: readonly OrderOutline[]
  /** Rows as written; null without a limit. */
  readonly limit: string | null
}

interface SetOutline {
  readonly kind: 'set'
  readonly operator: 'union' | 'intersect' | 'except'
  readonly left: QueryOutline
  readonly right: QueryOutline
  readonly orderBy: readonly OrderOutline[]
  readonly limit: string | null
}

/** A query as clauses, whatever the dialect: what two statements for one question are compared by. */
export type QueryOutline = SelectOutline | SetOutline

/** A text that is equal for expressions that say the same. Not SQL; for comparison alone. */
export const expressionKey = (expression: OutlineExpression): string => {
  switch (expression.kind) {
    case 'column':
      return `${expression.table ?? '?'}.${expression.column}`
    case 'star':
      return `${expression.table ?? ''}*`
    case 'value':
      return expression.type === 'number' ? String(Number(expression.value)) : `'${expression.value}'`
    case 'call':
      return `${expression.name}(${expression.distinct ? 'distinct ' : ''}${expression.args.map(expressionKey).join()})`
    case 'comparison':
      return `${expression.negated ? 'not ' : ''}${expressionKey(expression.left)} ${expression.operator} ${rightKey(expression.right, expression.operator)}`
    case 'logic':
      return `(${expression.parts.map(expressionKey).sort().join(` ${expression.operator} `)})`
    case 'not':
      return `not ${expressionKey(expression.part)}`
    case 'query':
      return `{${queryKey(expression.query)}}`
    case 'other':
      return expression.text
    default: {
      const never: never = expression
      return never
    }
  }
}

/** The order of a list does not count; that of two bounds does. */
const rightKey = (right: readonly OutlineExpression[], operator: string): string => {
  const keys = right.map(expressionKey)
  return (operator === 'in' ? keys.sort() : keys).join()
}

/** A text that is equal for queries of the same outline. */
export const queryKey = (query: QueryOutline): string => {
  const tail = [query.orderBy.map(orderKey).join(), query.limit ?? '']
  if (query.kind === 'set')
    return [query.operator, queryKey(query.left), queryKey(query.right), ...tail].join('|')
  const keys = (expressions: readonly OutlineExpression[]): string =>
    expressions.map(expressionKey).sort().join()
  return [
    query.distinct ? 'distinct' : '',
    query.outputs.map(expressionKey).join(),
    query.sources
      .map(({ table, query, join }) => `${join} ${query === null ? table : queryKey(query)}`)
      .sort()
      .join(),
    keys(query.links),
    keys(query.conditions),
    keys(query.groupBy),
    keys(query.having),
    ...tail,
  ].join('|')
}

const orderKey = ({
  expression,
  descending,
}: {
  expression: OutlineExpression
  descending: boolean
}): string => `${expressionKey(expression)}${descending ? ' desc' : ''}`
