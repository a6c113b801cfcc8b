import type { Expression, Ordering, QueryTree } from './query-tree.ts'

/** What an expression becomes when everything directly inside it is mapped; the expression itself keeps its kind. */
export const mapParts = (
  expression: Expression,
  map: (part: Expression) => Expression,
  mapQuery: (query: QueryTree) => QueryTree,
): Expression => {
  const optional = (part: Expression | null): Expression | null => (part === null ? null : map(part))
  switch (expression.kind) {
    case 'column':
    case 'text':
    case 'number':
    case 'constant':
    case 'moment':
      return expression
    case 'star':
      return { ...expression, replace: expression.replace.map(map) }
    case 'aggregate':
      return {
        ...expression,
        argument: optional(expression.argument),
        others: expression.others.map(map),
        filter: optional(expression.filter),
        details: expression.details.map(map),
      }
    case 'call':
      return { ...expression, inputs: expression.inputs.map(map), details: expression.details.map(map) }
    case 'window':
      return {
        ...expression,
        call: map(expression.call),
        partitionBy: expression.partitionBy.map(map),
        orderBy: expression.orderBy.map(key => mapOrdering(key, map)),
        details: expression.details.map(map),
      }
    case 'arithmetic':
    case 'is':
      return { ...expression, left: map(expression.left), right: map(expression.right) }
    case 'compare':
      return {
        ...expression,
        left: map(expression.left),
        right: map(expression.right),
        details: expression.details.map(map),
      }
    case 'and':
    case 'or':
      return { ...expression, operands: expression.operands.map(map) }
    case 'not':
    case 'null-test':
    case 'paren':
    case 'truth-test':
    case 'field':
    case 'named':
    case 'truncate':
    case 'date-part':
    case 'shift':
    case 'percentile':
      return { ...expression, operand: map(expression.operand) }
    case 'elapsed':
      return { ...expression, from: map(expression.from), until: map(expression.until) }
    case 'ratio':
      return { ...expression, numerator: map(expression.numerator), denominator: map(expression.denominator) }
    case 'fragment':
      return {
        ...expression,
        parts: expression.parts.map(part => (typeof part === 'string' ? part : map(part))),
      }
    case 'between':
      return {
        ...expression,
        operand: map(expression.operand),
        low: map(expression.low),
        high: map(expression.high),
      }
    case 'in': {
      const { operand, among, details } = expression
      return {
        ...expression,
        operand: map(operand),
        among: 'kind' in among ? mapQuery(among) : among.map(map),
        details: details.map(map),
      }
    }
    case 'exists':
    case 'subquery':
      return { ...expression, query: mapQuery(expression.query) }
    case 'case':
      return {
        ...expression,
        operand: optional(expression.operand),
        branches: expression.branches.map(({ when, value }) => ({ when: map(when), value: map(value) })),
        otherwise: optional(expression.otherwise),
      }
    case 'cast':
      return { ...expression, operand: map(expression.operand), details: expression.details.map(map) }
    case 'interval':
      return { ...expression, amount: optional(expression.amount), details: expression.details.map(map) }
    case 'lambda':
    case 'type':
    case 'group':
    case 'unclear':
      return { ...expression, parts: expression.parts.map(map) }
    default: {
      const never: never = expression
      return never
    }
  }
}

/** A key of ORDER BY with its expressions mapped. */
export const mapOrdering = (key: Ordering, map: (part: Expression) => Expression): Ordering => ({
  ...key,
  expression: map(key.expression),
  details: key.details.map(map),
})
