import type { ComparePair, MeasuredGroup } from '../../core/selector.ts'

/** In how many questions of a hundred no drafted result is right: one in ten on real candidates. */
export const NONE_RIGHT = 0.1

/** So certain a comparison would divide by nought. */
const MOST_CERTAIN = 1 - 1e-9

/**
 * What a selector believes of each group of a question, in their order: probabilities that it is the right one, adding up
 * to 1 less that of none. From comparisons with the first alone: where P(A beats B) is sigmoid(u(A) - u(B)), the odds of
 * each against the first are those of a softmax over u.
 */
export const selectorBeliefs = (
  groups: readonly MeasuredGroup[],
  compare: ComparePair,
): readonly number[] => {
  const [first] = groups
  if (first === undefined) return []
  const odds = groups.map(group => {
    const wins = Math.min(compare(group, first), MOST_CERTAIN)
    return wins / (1 - wins)
  })
  const total = odds.reduce((sum, one) => sum + one, 0)
  return odds.map(one => (one / total) * (1 - NONE_RIGHT))
}
