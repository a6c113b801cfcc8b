import { selectOf } from '../../sql/tree/compose-query.ts'
import { mapOrdering, mapParts } from '../../sql/tree/map-parts.ts'
import type { Expression, SelectTree } from '../../sql/tree/query-tree.ts'

/**
 * Leaves out the names of tables in a SELECT from one table without subqueries, as a person would write it. A column that
 * is called like a heading of the result keeps its table: databases disagree on which of the two `amount` then means.
 */
export const withShortNames = (query: SelectTree): SelectTree => {
  const [only] = query.from
  if (query.from.length !== 1 || only?.source.kind !== 'table') return query
  const headings = new Set(
    query.outputs
      .filter(
        ({ expression, alias }) => !(expression.kind === 'column' && isSameName(expression.name, alias)),
      )
      .map(({ alias }) => alias?.toLowerCase()),
  )
  let hasSubquery = false
  const short = (expression: Expression): Expression => {
    if (expression.kind === 'exists' || expression.kind === 'subquery') hasSubquery = true
    if (expression.kind === 'in' && 'kind' in expression.among) return shortIn(expression)
    return expression.kind === 'column'
      ? headings.has(expression.name.toLowerCase())
        ? expression
        : { ...expression, qualifier: null }
      : mapParts(expression, short, inner => inner)
  }
  // A list that a subquery gives stands by itself.
  const shortIn = (expression: Extract<Expression, { kind: 'in' }>): Expression => ({
    ...expression,
    operand: short(expression.operand),
  })
  const shortened = selectOf({
    ...query,
    outputs: query.outputs.map(output => ({ ...output, expression: short(output.expression) })),
    where: query.where && short(query.where),
    groupBy: query.groupBy.map(short),
    having: query.having && short(query.having),
    orderBy: query.orderBy.map(key => mapOrdering(key, short)),
  })
  return hasSubquery ? query : shortened
}

const isSameName = (a: string, b: string | null): boolean => a.toLowerCase() === b?.toLowerCase()
