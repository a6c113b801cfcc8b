import { describe, expect, it } from 'vitest'
import { type DraftBudget, draftBudgets } from '../../src/domain/selection/draft-rounds.ts'
import { seededRandom } from '../../src/evaluation/statistics.ts'
import { makeStoppingRule, shippedStoppingModel } from '../../src/ranking/stopping-rule.ts'
import { countVotes } from '../../src/ranking/votes.ts'
import { makeCandidateVote } from './make-candidate-vote.ts'

/** How many of the votes are counted before a budget stops. */
const consumed = (budget: DraftBudget, results: readonly (string | null)[]): number => {
  const decide = makeStoppingRule({ going: shippedStoppingModel.going[budget] })
  const votes = results.map((result, at) =>
    makeCandidateVote(`${at}`, result, { lineage: 'abc'[at % 3] ?? 'a' }),
  )
  let count = 1
  while (count < votes.length && decide(countVotes(votes.slice(0, count))).continues) count += 1
  return count
}

describe('the draft budgets that ship', () => {
  it('spend more the more thorough they are, over many votes', () => {
    const random = seededRandom(3)
    const courses = Array.from({ length: 200 }, () => {
      const agreement = random()
      return Array.from({ length: 21 }, () => (random() < agreement ? 'r' : `w${Math.floor(random() * 4)}`))
    })
    const [frugal = 0, balanced = 0, thorough = 0] = draftBudgets.map(budget =>
      courses.reduce((sum, course) => sum + consumed(budget, course), 0),
    )
    expect(frugal).toBeLessThan(balanced)
    expect(balanced).toBeLessThan(thorough)
  })

  it('all stop soon where everyone agrees', () => {
    for (const budget of draftBudgets) expect(consumed(budget, Array(21).fill('r'))).toBeLessThanOrEqual(6)
  })
})
