import type { MeasuredGroup } from '../../core/selector.ts'
import type { SelectorModel } from './selector-model.ts'

/** The part that each feature of a model adds to a group's utility, in the model's order. */
export const contributions = (
  { measures }: MeasuredGroup,
  { features }: Pick<SelectorModel, 'features'>,
): readonly number[] => features.map(({ name, scale, weight }) => ((measures[name] ?? 0) / scale) * weight)

/** How good a group is, in logits: only differences within a question mean anything. */
export const utilityOf = (group: MeasuredGroup, model: Pick<SelectorModel, 'features'>): number =>
  contributions(group, model).reduce((sum, part) => sum + part, 0)
