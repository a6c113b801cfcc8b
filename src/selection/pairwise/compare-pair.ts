import type { ComparePair } from '../../core/selector.ts'
import type { SelectorModel } from './selector-model.ts'
import { utilityOf } from './utility.ts'

/**
 * Makes the comparison of two groups. A linear utility makes it antisymmetric by construction (Bradley and Terry 1952),
 * so asking in both orders, as a model judge must be (CHASE-SQL 3.5), is never needed.
 */
export const makeComparePair =
  (model: Pick<SelectorModel, 'features'>): ComparePair =>
  (first, second) =>
    1 / (1 + Math.exp(utilityOf(second, model) - utilityOf(first, model)))
