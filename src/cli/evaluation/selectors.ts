import type { PoolQuestion } from '../../evaluation/execute-pools.ts'
import type { SelectAnswer } from '../../evaluation/score-selection.ts'
import { seededRandom } from '../../evaluation/statistics.ts'
import {
  answersOfExperts,
  chooseByWeight,
  drawByWeight,
  type ExpertHistory,
  followExperts,
} from '../../ranking/experts.ts'
import { fitGroupOdds, type ScoredGroups } from '../../ranking/learning/fit.ts'
import { trainStoppingModel } from '../../ranking/learning/train-stopping-model.ts'
import { makeRankGroups } from '../../ranking/selector/rank-groups.ts'
import type { SelectorModel } from '../../ranking/selector/selector-model.ts'
import { shippedSelector } from '../../ranking/selector/shipped-selector.ts'
import {
  costOfDraft,
  makeRateTally,
  makeStoppingRule,
  type StoppingModel,
  shippedStoppingModel,
} from '../../ranking/stopping-rule.ts'
import { chooseByMajority, makeLearnedSelection, makeVoteWithEvidence } from '../../ranking/strategies.ts'
import { countVotes, groupProbabilities, shippedGroupOdds } from '../../ranking/votes.ts'

/**
 * `wma` and `rwma` are the voters of SSEV over the lineages of a pool. `evidence` is the vote, corrected by the evidence of
 * execution and of the database against a candidate.
 */
export const selectorNames = ['first', 'majority', 'wma', 'rwma', 'evidence', 'learned'] as const

export type SelectorName = (typeof selectorNames)[number]

const SEED = 1

/**
 * Makes a selector: trained on `others` where it learns, the shipped one when they are null. `learner` is the trained
 * selector to use for `learned`, which stops as `stopping` says.
 */
export const makeSelector = (
  name: SelectorName,
  others: readonly PoolQuestion[] | null,
  learner: SelectorModel = shippedSelector,
  stopping: Pick<StoppingModel, 'going'> = shippedStoppingModel,
): SelectAnswer => {
  switch (name) {
    case 'first':
      return candidateVotes => ({ ...plain, candidateId: candidateVotes[0]?.candidateId ?? null })
    case 'majority':
      return candidateVotes => ({ ...plain, candidateId: chooseByMajority(candidateVotes) })
    case 'evidence': {
      const model =
        others === null
          ? { ...shippedStoppingModel, going: shippedStoppingModel.going.balanced }
          : trainStoppingModel(others.map(toLabelled), { cost: costOfDraft.balanced, seed: SEED })
      const odds = others === null ? shippedGroupOdds : fitGroupOdds(others.map(toScored))
      const vote = makeVoteWithEvidence({ rate: makeRateTally(model), judge: makeStoppingRule(model) })
      return candidateVotes => ({
        ...vote(candidateVotes),
        groups: groupProbabilities(countVotes(candidateVotes), odds),
      })
    }
    case 'wma':
    case 'rwma': {
      // Without other questions, all experts have the same weight.
      const { weights } = runExpertsOnPool(others ?? [])
      const random = seededRandom(SEED)
      return candidateVotes => {
        const answers = answersOfExperts(candidateVotes)
        const chosen =
          name === 'wma' ? chooseByWeight(answers, weights) : drawByWeight(answers, weights, random)
        return { ...plain, candidateId: chosen?.candidateId ?? null }
      }
    }
    case 'learned':
      return makeLearnedSelection({
        rank: makeRankGroups(learner),
        judge: makeStoppingRule({ going: stopping.going.balanced }),
      })
    default: {
      const never: never = name
      return never
    }
  }
}

const plain = { confidence: null, early: null }

const toLabelled = ({ database, candidateVotes, labels }: PoolQuestion) => ({
  database,
  candidateVotes,
  priors: new Map<string, number>(),
  right: new Set(candidateVotes.filter((_, at) => labels[at]?.ex).map(({ candidateId }) => candidateId)),
})

const toScored = ({ candidateVotes, labels }: PoolQuestion): ScoredGroups => {
  const right = new Set(
    candidateVotes.filter((_, at) => labels[at]?.anyOrder).map(({ candidateId }) => candidateId),
  )
  const { groups } = countVotes(candidateVotes)
  return {
    scores: groups.map(({ score }) => score),
    right: groups.map(({ candidateIds }) => candidateIds.some(id => right.has(id))),
  }
}

/** The experts of a pool are its lineages; their outcomes become known question by question, in the pool's order. */
export const runExpertsOnPool = (questions: readonly PoolQuestion[]): ExpertHistory =>
  followExperts(
    questions.map(({ candidateVotes, labels }) => {
      const right = new Set(
        candidateVotes.flatMap(({ run }, at) => (run !== null && labels[at]?.ex ? [run.columnsKey] : [])),
      )
      return { answers: answersOfExperts(candidateVotes), isRight: key => right.has(key) }
    }),
  )
