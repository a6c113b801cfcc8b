import type { ExecutionGroup } from '../../../src/core/execution-group.ts'

/**
 * The most that comparing may give a result. How often a judge is right is not known beforehand (CHASE-SQL 3.5: of 58 %
 * of pairs for a large model that was not trained to judge), so it makes no answer a sure one.
 */
const MOST_BY_COMPARING = 0.5

/**
 * The groups with the winner of the comparisons in front. A leader that was confirmed keeps the probability of the vote:
 * judgements and votes come from like models, and nothing is known of how far they are independent. A winner from
 * behind gets what the likeliest had, and nobody has more than the winner; both under the cap above.
 */
export const putWinnerFirst = (
  groups: readonly ExecutionGroup[],
  winnerKey: string,
): readonly ExecutionGroup[] => {
  const [leader] = groups
  const winner = groups.find(({ key }) => key === winnerKey)
  if (leader === undefined || winner === undefined) return groups
  const likeliest = Math.min(MOST_BY_COMPARING, Math.max(...groups.map(({ score }) => score)))
  const score = winner === leader ? Math.max(leader.score, likeliest) : likeliest
  const rest = groups
    .filter(group => group !== winner)
    .map(group => ({ ...group, score: Math.min(group.score, score) }))
  return [{ ...winner, score }, ...rest.toSorted((a, b) => b.score - a.score)]
}
