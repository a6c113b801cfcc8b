import type { ExecutionGroup } from '../../core/execution-group.ts'
import type { VoteTally } from '../../core/standing.ts'

/** How scores of a vote become odds: each group has `exp(scale * score)`, that none is right has `exp(none)`. */
export interface GroupOdds {
  readonly scale: number
  readonly none: number
}

/** Fitted to the labelled samples of docs/evaluation.md ("Asking back"), all databases together. */
export const shippedGroupOdds: GroupOdds = { scale: 3.33, none: 0.5 }

/** The groups of a vote with the probability that each is right, best first; they add up to less than 1. */
export const groupProbabilities = ({ groups }: VoteTally, odds: GroupOdds): readonly ExecutionGroup[] => {
  const weights = groups.map(({ score }) => Math.exp(odds.scale * score))
  const all = weights.reduce((sum, weight) => sum + weight, Math.exp(odds.none))
  return groups.map(({ key, candidateIds, representativeId }, at) => ({
    key,
    candidateIds,
    representativeId,
    score: (weights[at] ?? 0) / all,
  }))
}
