import type { OutlineExpression, QueryOutline } from './query-outline.ts'

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
