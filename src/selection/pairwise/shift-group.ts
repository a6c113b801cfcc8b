import type { FeedbackShift } from '../../core/selector.ts'
import type { SelectorModel } from './selector-model.ts'
import { utilityOf } from './utility.ts'

/** Makes the part of a group's utility that a model has from votes: all that it says beyond the shipped one. */
export const makeFeedbackShift =
  (model: Pick<SelectorModel, 'features'>, shipped: Pick<SelectorModel, 'features'>): FeedbackShift =>
  group =>
    utilityOf(group, model) - utilityOf(group, shipped)
