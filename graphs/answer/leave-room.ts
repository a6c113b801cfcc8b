import type { ExecutionGroup } from '../../src/core/execution-group.ts'

/** Groups that have more than this together leave no room for an answer that nobody drafted. */
const NOTHING_RESERVED = 0.99

/**
 * How often one of those behind is right where the leader is wrong and there are others: 21 of 37 questions of the
 * labelled samples of docs/evaluation.md.
 */
const SHARE_OF_RUNNERS_UP = 0.57

/**
 * The groups with room for an answer that nobody drafted. A vote knows how likely its leader is, and shares all that
 * is left among the others; to weigh a question back that is too much, since often none of them is right. What already
 * adds up to less, as odds of the parser or of a selector that was calibrated for each group, stays as it is.
 */
export const reserveForOtherAnswers = (groups: readonly ExecutionGroup[]): readonly ExecutionGroup[] => {
  const all = groups.reduce((sum, { score }) => sum + score, 0)
  const [leader, ...others] = groups
  if (leader === undefined || all <= NOTHING_RESERVED) return groups
  return [leader, ...others.map(group => ({ ...group, score: group.score * SHARE_OF_RUNNERS_UP }))]
}
