import type { PoolQuestion } from '../evaluation/execute-pools.ts'
import type { SelectAnswer } from '../evaluation/score-selection.ts'
import { seededRandom } from '../evaluation/seeded-random.ts'
import { makeRankGroups } from '../selection/pairwise/rank-groups.ts'
import type { SelectorModel } from '../selection/pairwise/selector-model.ts'
import { shippedSelector } from '../selection/pairwise/shipped-selector.ts'
import { makeLearnedSelection } from '../selection/selectors/learned.ts'
import { chooseByMajority } from '../selection/selectors/majority.ts'
import { makeVoteWithEvidence } from '../selection/selectors/vote-with-evidence.ts'
import { countVotes } from '../selection/standing/count-votes.ts'
import { makeStoppingRule } from '../selection/standing/judge-standing.ts'
import { groupProbabilities, shippedGroupOdds } from '../selection/standing/rate-groups.ts'
import { makeRateTally } from '../selection/standing/rate-standing.ts'
import { costOfDraft, shippedStoppingModel } from '../selection/standing/shipped-model.ts'
import { fitGroupOdds, type ScoredGroups } from '../selection/training/fit-group-odds.ts'
import { trainStoppingModel } from '../selection/training/train-standing-model.ts'
import { answersOfExperts } from '../selection/voters/expert-answers.ts'
import { drawByWeight } from '../selection/voters/randomised-weighted-majority.ts'
import { chooseByWeight } from '../selection/voters/weighted-majority.ts'
import { runExpertsOnPool } from './follow-pool.ts'

/**
 * `wma` and `rwma` are the voters of SSEV over the pool's lineages, `evidence` is the vote less what execution and the
 * database hold against a candidate.
 */
export const selectorNames = ['first', 'majority', 'wma', 'rwma', 'evidence', 'learned'] as const

export type SelectorName = (typeof selectorNames)[number]

const SEED = 1

/**
 * Makes a selector: trained on `others` where it learns, the shipped one when they are null. `learner` is the trained
 * selector to use for `learned`.
 */
export const makeSelector = (
  name: SelectorName,
  others: readonly PoolQuestion[] | null,
  learner: SelectorModel = shippedSelector,
): SelectAnswer => {
  switch (name) {
    case 'first':
      return ballots => ({ ...plain, candidateId: ballots[0]?.candidateId ?? null })
    case 'majority':
      return ballots => ({ ...plain, candidateId: chooseByMajority(ballots) })
    case 'evidence': {
      const model =
        others === null
          ? shippedStoppingModel
          : trainStoppingModel(others.map(toLabelled), { cost: costOfDraft, seed: SEED })
      const odds = others === null ? shippedGroupOdds : fitGroupOdds(others.map(toScored))
      const vote = makeVoteWithEvidence({ rate: makeRateTally(model), judge: makeStoppingRule(model) })
      return ballots => ({ ...vote(ballots), groups: groupProbabilities(countVotes(ballots), odds) })
    }
    case 'wma':
    case 'rwma': {
      // Without other questions nothing is known of the experts: they weigh the same.
      const { weights } = runExpertsOnPool(others ?? [])
      const random = seededRandom(SEED)
      return ballots => {
        const answers = answersOfExperts(ballots)
        const chosen =
          name === 'wma' ? chooseByWeight(answers, weights) : drawByWeight(answers, weights, random)
        return { ...plain, candidateId: chosen?.candidateId ?? null }
      }
    }
    case 'learned':
      return makeLearnedSelection({
        rank: makeRankGroups(learner),
        judge: makeStoppingRule(shippedStoppingModel),
      })
    default: {
      const never: never = name
      return never
    }
  }
}

const plain = { confidence: null, early: null }

const toLabelled = ({ database, ballots, labels }: PoolQuestion) => ({
  database,
  ballots,
  priors: new Map<string, number>(),
  right: new Set(ballots.filter((_, at) => labels[at]?.ex).map(({ candidateId }) => candidateId)),
})

const toScored = ({ ballots, labels }: PoolQuestion): ScoredGroups => {
  const right = new Set(ballots.filter((_, at) => labels[at]?.anyOrder).map(({ candidateId }) => candidateId))
  const { groups } = countVotes(ballots)
  return {
    scores: groups.map(({ score }) => score),
    right: groups.map(({ candidateIds }) => candidateIds.some(id => right.has(id))),
  }
}
