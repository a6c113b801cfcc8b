import type { Expression, Ordering } from './query-tree.ts'

/**
 * The expressions directly inside an expression, in the order of the text as far as a parser keeps it.
 * Queries inside it are not among them.
 */
export const childrenOf = (expression: Expression): readonly Expression[] => {
  switch (expression.kind) {
    case 'column':
    case 'text':
    case 'number':
    case 'constant':
    case 'exists':
    case 'subquery':
    case 'moment':
      return []
    case 'star':
      return expression.replace
    case 'aggregate':
      return [
        ...list(expression.argument),
        ...expression.others,
        ...list(expression.filter),
        ...expression.details,
      ]
    case 'call':
      return [...expression.inputs, ...expression.details]
    case 'window':
      return [
        expression.call,
        ...expression.partitionBy,
        ...expression.orderBy.flatMap(orderingParts),
        ...expression.details,
      ]
    case 'arithmetic':
    case 'is':
      return [expression.left, expression.right]
    case 'compare':
      return [expression.left, expression.right, ...expression.details]
    case 'and':
    case 'or':
      return expression.operands
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
      return [expression.operand]
    case 'elapsed':
      return [expression.from, expression.until]
    case 'ratio':
      return [expression.numerator, expression.denominator]
    case 'fragment':
      return expression.parts.filter(part => typeof part !== 'string')
    case 'between':
      return [expression.operand, expression.low, expression.high]
    case 'in': {
      const { operand, among, details } = expression
      return [operand, ...('kind' in among ? [] : among), ...details]
    }
    case 'case':
      return [
        ...list(expression.operand),
        ...expression.branches.flatMap(({ when, value }) => [when, value]),
        ...list(expression.otherwise),
      ]
    case 'cast':
      return [expression.operand, ...expression.details]
    case 'interval':
      return [...list(expression.amount), ...expression.details]
    case 'lambda':
    case 'type':
    case 'group':
    case 'unclear':
      return expression.parts
    default: {
      const never: never = expression
      return never
    }
  }
}

/** The expressions of a key of ORDER BY. */
export const orderingParts = ({ expression, details }: Ordering): readonly Expression[] => [
  expression,
  ...details,
]

const list = (expression: Expression | null): readonly Expression[] =>
  expression === null ? [] : [expression]
