/** What each expert's word weighs, from 0 to 1. An expert that is not named has made no mistake yet: 1. */
export type ExpertWeights = ReadonlyMap<string, number>

/** What one expert's word weighs. */
export const weightOf = (weights: ExpertWeights, expert: string): number => weights.get(expert) ?? 1

/** The bounds on mistakes hold up to here. */
const MOST_EPSILON = 0.5

/**
 * The penalty that makes the bound on mistakes smallest: sqrt(ln N / T) for N experts and T rounds expected, at most
 * one half (SSEV, 3.1.2, step 6). 0 for a single expert, whose weight decides nothing.
 */
export const bestEpsilon = (experts: number, rounds: number): number =>
  experts < 2 || rounds < 1 ? 0 : Math.min(MOST_EPSILON, Math.sqrt(Math.log(experts) / rounds))

/** The weights after a round: every expert that was wrong loses the share `epsilon` of its own (SSEV, 3.1.2, step 5). */
export const penalize = (weights: ExpertWeights, wrong: Iterable<string>, epsilon: number): ExpertWeights => {
  const after = new Map(weights)
  for (const expert of wrong) after.set(expert, weightOf(weights, expert) * (1 - epsilon))
  return after
}
