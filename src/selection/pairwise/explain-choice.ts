import type { MeasuredGroup } from '../../core/selector.ts'
import { reasonOf } from '../features/feature-reasons.ts'
import type { SelectorModel } from './selector-model.ts'
import { contributions } from './utility.ts'

const MOST_REASONS = 3

/** Less than this changes no mind. */
const LEAST = 0.1

/**
 * What tells a group from a rival, in words, the strongest first. A feature that speaks for the group names what it has;
 * one that speaks against the rival names what the rival has.
 */
export const explainChoice = (
  group: MeasuredGroup,
  rival: MeasuredGroup,
  model: Pick<SelectorModel, 'features'>,
): readonly string[] => {
  const own = contributions(group, model)
  const theirs = contributions(rival, model)
  const reasons = model.features
    .map(({ name, weight }, at) => ({ name, weight, gain: (own[at] ?? 0) - (theirs[at] ?? 0) }))
    .filter(({ gain }) => Math.abs(gain) >= LEAST)
    .sort((a, b) => Math.abs(b.gain) - Math.abs(a.gain))
    .flatMap(({ name, weight, gain }) => {
      const reason = reasonOf(name)
      if (reason === null) return []
      // Who has more of the feature is who the words are about.
      return [gain > 0 === weight > 0 ? reason : `of the other: ${reason}`]
    })
  return [...new Set(reasons)].slice(0, MOST_REASONS)
}
