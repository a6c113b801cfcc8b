import { childrenOf } from '../tree/children.ts'
import type { Expression, JoinedSource, Ordering, QueryTree, SelectTree } from '../tree/query-tree.ts'

/** A text that is equal for comparable queries (`comparableQuery`) that say the same. Not SQL. */
export const queryKey = (query: QueryTree): string => {
  const tail = [query.orderBy.map(orderingKey).join(), limitOf(query) ?? '']
  if (query.kind === 'set')
    return [query.operator, queryKey(query.left), queryKey(query.right), ...tail].join('|')
  const { links, conditions } = splitConditions(query)
  const keys = (expressions: readonly Expression[]): string => expressions.map(expressionKey).sort().join()
  return [
    query.distinct ? 'distinct' : '',
    query.outputs.map(({ expression }) => expressionKey(expression)).join(),
    query.from.map(sourceKey).sort().join(),
    keys(links),
    keys(conditions),
    keys(query.groupBy),
    keys(conjunctsOf(query.having)),
    ...tail,
  ].join('|')
}

/** A text that is equal for expressions of comparable queries that say the same. Not SQL. */
export const expressionKey = (expression: Expression): string => {
  const keys = (expressions: readonly Expression[]): readonly string[] => expressions.map(expressionKey)
  switch (expression.kind) {
    case 'column':
      return `${expression.qualifier ?? '?'}.${expression.name}`
    case 'star':
      return `${expression.qualifier ?? ''}*`
    case 'text':
      return `'${expression.value}'`
    case 'number':
      return String(Number(expression.value))
    case 'constant':
      return expression.value
    case 'aggregate': {
      const { name, distinct, argument, others, filter } = expression
      const inside = argument === null ? ['*'] : keys([argument, ...others])
      const only = filter === null ? '' : ` filter ${expressionKey(filter)}`
      return `${name}(${distinct ? 'distinct ' : ''}${inside.join()})${only}`
    }
    case 'call':
      return `${expression.name}(${expression.distinct ? 'distinct ' : ''}${keys(expression.inputs).join()})`
    case 'compare': {
      const { operator, variant, quantifier, left, right } = expression
      const special = [variant === 'no-case' ? null : variant, quantifier].filter(word => word !== null)
      return [expressionKey(left), operator, ...special, expressionKey(right)].join(' ')
    }
    case 'and':
    case 'or':
      return `(${keys(expression.operands).toSorted().join(` ${expression.kind} `)})`
    case 'not':
      return `not ${expressionKey(expression.operand)}`
    // The order of a list does not count; that of two bounds does.
    case 'in': {
      const { operand, among, negated } = expression
      const list = 'kind' in among ? `{${queryKey(among)}}` : keys(among).toSorted().join()
      return `${negated ? 'not ' : ''}${expressionKey(operand)} in ${list}`
    }
    case 'between':
    case 'null-test':
      return `${expression.negated ? 'not ' : ''}${expression.kind} ${keys(childrenOf(expression)).join()}`
    case 'exists':
      return `${expression.negated ? 'not ' : ''}exists {${queryKey(expression.query)}}`
    case 'subquery':
      return `{${queryKey(expression.query)}}`
    case 'arithmetic':
      return `${expression.operator}(${keys(childrenOf(expression)).join()})`
    default:
      return `${expression.kind}(${keys(childrenOf(expression)).join()})`
  }
}

const sourceKey = ({ source, join }: JoinedSource): string => {
  const kind = keepsUnmatched(join) ? 'outer' : 'inner'
  return `${kind} ${source.kind === 'table' ? source.name : source.kind === 'derived' ? queryKey(source.query) : null}`
}

const orderingKey = ({ expression, direction }: Ordering): string =>
  `${expressionKey(expression)}${direction === 'desc' ? ' desc' : ''}`

/** True for a join that keeps rows of one side that have no partner. */
export const keepsUnmatched = (join: JoinedSource['join']): boolean =>
  join === 'left' || join === 'right' || join === 'full'

/** Rows as written; `some` if it is no constant, null without a limit. */
export const limitOf = ({ limit }: Pick<QueryTree, 'limit'>): string | null =>
  limit === null ? null : limit.kind === 'number' || limit.kind === 'text' ? limit.value : 'some'

/** The parts of WHERE and ON: those that join two columns, wherever they stand, and the others. */
export const splitConditions = ({
  where,
  from,
}: SelectTree): { readonly links: readonly Expression[]; readonly conditions: readonly Expression[] } => {
  const all = [where, ...from.map(({ on }) => on)].flatMap(conjunctsOf)
  return { links: all.filter(isLink), conditions: all.filter(condition => !isLink(condition)) }
}

const isLink = (condition: Expression): boolean =>
  condition.kind === 'compare' &&
  condition.operator === '=' &&
  condition.quantifier === null &&
  condition.left.kind === 'column' &&
  condition.right.kind === 'column'

/** The parts of an AND; a single condition is its only part. */
export const conjunctsOf = (condition: Expression | null): readonly Expression[] =>
  condition === null ? [] : condition.kind === 'and' ? condition.operands.flatMap(conjunctsOf) : [condition]
