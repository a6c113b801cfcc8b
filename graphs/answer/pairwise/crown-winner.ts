import type { ExecutionGroup } from '../../../src/core/execution-group.ts'

/**
 * The most that a result is given which a judge has put before the leader of the vote. How often a judge is right when
 * it speaks against the vote is not known beforehand (CHASE-SQL 3.5: 58 % of pairs for a large model that was not
 * trained to judge), so such an answer is never a sure one.
 */
const MOST_AGAINST_THE_VOTE = 0.5

/**
 * The groups with the winner of the comparisons in front. A leader that was confirmed keeps the probability of the
 * vote: judgements and votes come from like models, and nothing is known of how far they are independent. A winner
 * from behind changes places with the leader, probabilities included, under the cap above.
 */
export const crownWinner = (
  groups: readonly ExecutionGroup[],
  winnerKey: string,
): readonly ExecutionGroup[] => {
  const [leader, ...others] = groups
  const winner = others.find(({ key }) => key === winnerKey)
  if (leader === undefined || winner === undefined) return groups
  const crowned = { ...winner, score: Math.min(leader.score, MOST_AGAINST_THE_VOTE) }
  const deposed = { ...leader, score: Math.min(winner.score, crowned.score) }
  const rest = others.filter(group => group !== winner)
  return [crowned, ...[deposed, ...rest].sort((a, b) => b.score - a.score)]
}
