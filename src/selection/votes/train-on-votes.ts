import type { LabeledGroups } from '../../core/selector.ts'
import type { SelectorModel } from '../pairwise/selector-model.ts'
import { fitPairs } from '../training/fit-pairs.ts'
import { toPairs } from './to-pairs.ts'

/**
 * A selector whose weights moved from the prior's as far as the questions speak for it against the pull. Features,
 * scales and calibration stay: people say too little about how sure to be.
 */
export const trainOnVotes = (
  questions: readonly LabeledGroups[],
  { prior, pull }: { readonly prior: SelectorModel; readonly pull: number },
): SelectorModel => {
  const { features } = prior
  const weights = fitPairs(questions.flatMap(toPairs), {
    names: features.map(({ name }) => name),
    scales: features.map(({ scale }) => scale),
    prior: features.map(({ weight }) => weight),
    pull,
  })
  return { ...prior, features: features.map((feature, i) => ({ ...feature, weight: weights[i]! })) }
}
