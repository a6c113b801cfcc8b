import type { Expression } from './query-tree.ts'

/** NOT before an expression, taken into it where it has a negated form of its own. */
export const negate = (operand: Expression): Expression => {
  switch (operand.kind) {
    case 'between':
    case 'in':
    case 'null-test':
    case 'exists':
      return { ...operand, negated: !operand.negated }
    case 'compare':
      if (operand.operator === 'like' && operand.quantifier === null)
        return { ...operand, operator: 'not like' }
      return { kind: 'not', operand }
    case 'not':
      return operand.operand
    default:
      return { kind: 'not', operand }
  }
}
