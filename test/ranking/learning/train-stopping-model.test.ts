import { describe, expect, it } from 'vitest'
import type { CandidateVote } from '../../../src/domain/selection/ranking.ts'
import { fitRidge } from '../../../src/ranking/learning/fit.ts'
import {
  type LabeledVotes,
  redrawOrder,
  trainStoppingModel,
} from '../../../src/ranking/learning/train-stopping-model.ts'
import { makeRateTally, makeStoppingRule } from '../../../src/ranking/stopping-rule.ts'
import { makeVoteWithEvidence } from '../../../src/ranking/strategies.ts'
import { countVotes } from '../../../src/ranking/votes.ts'
import { makeCandidateVote } from '../make-candidate-vote.ts'

/** Easy questions, on which all agree and are right, and hard ones, where the right result comes late but often. */
const questions: readonly LabeledVotes[] = Array.from({ length: 60 }, (_, number) => {
  const isHard = number % 2 === 1
  const results = isHard ? ['w', 'v', 'r', 'r', 'u', 'r', 'r', 'r'] : new Array(8).fill('r')
  const candidateVotes = results.map((result, at) =>
    makeCandidateVote(`${at}`, result, { lineage: at % 2 === 0 ? 'a' : 'b' }),
  )
  return {
    database: `d${number % 5}`,
    candidateVotes,
    priors: new Map(),
    right: new Set(
      candidateVotes.filter(({ run }) => run?.groupKey === 'r').map(({ candidateId }) => candidateId),
    ),
  }
})

const prefix = (labelled: LabeledVotes, count: number): readonly CandidateVote[] =>
  labelled.candidateVotes.slice(0, count)

describe('trainStoppingModel', () => {
  const model = trainStoppingModel(questions, { cost: 0.003, seed: 1 })
  const [easy, hard] = questions as readonly [LabeledVotes, LabeledVotes]

  it('is the same for the same seed', () => {
    expect(trainStoppingModel(questions, { cost: 0.003, seed: 1 })).toEqual(model)
  })

  it('stops early where all agree and goes on where they do not', () => {
    const vote = makeVoteWithEvidence({ rate: makeRateTally(model), judge: makeStoppingRule(model) })
    const early = vote(easy.candidateVotes)
    const late = vote(hard.candidateVotes)
    expect(early.early.consumed).toBeLessThanOrEqual(3)
    expect(late.early.consumed).toBeGreaterThan(early.early.consumed)
    expect(hard.right.has(late.early.candidateId ?? '')).toBe(true)
  })

  it('is surer of an agreement than of a split vote', () => {
    const rate = makeRateTally(model)
    expect(rate(countVotes(prefix(easy, 4)))).toBeGreaterThan(rate(countVotes(prefix(hard, 2))) + 0.2)
    expect(rate(countVotes([]))).toBe(0)
  })

  it('never goes on where a draft costs more than any answer is worth', () => {
    const dear = makeStoppingRule(trainStoppingModel(questions, { cost: 2, seed: 1 }))
    const { continues: goOn, gain } = dear(countVotes(prefix(easy, 2)))
    expect(goOn).toBe(false)
    expect(gain).toBeLessThan(-1)
  })

  it('counts all drafts of a round as the cost of going on', () => {
    // A round has one draft at first and two later. All agree, so that going on only costs.
    const agreed = questions.filter((_, number) => number % 2 === 0)
    const rule = makeStoppingRule(trainStoppingModel(agreed, { cost: 0.1, seed: 1 }))
    const gainAfter = (count: number): number => rule(countVotes(prefix(easy, count))).gain
    expect(gainAfter(1)).toBeCloseTo(-0.1, 1)
    expect(gainAfter(3)).toBeCloseTo(-0.2, 1)
  })

  it('always goes on while nothing has run', () => {
    expect(makeStoppingRule(model)(countVotes([makeCandidateVote('1', null)])).continues).toBe(true)
  })
})

describe('redrawOrder', () => {
  it('keeps the turns of the lineages and every candidateVote', () => {
    const [, hard] = questions as readonly [LabeledVotes, LabeledVotes]
    const redrawn = redrawOrder(hard, 7)
    expect(redrawn.candidateVotes.map(({ lineage }) => lineage)).toEqual(
      hard.candidateVotes.map(({ lineage }) => lineage),
    )
    expect(redrawn.candidateVotes.map(({ candidateId }) => candidateId).sort()).toEqual(
      hard.candidateVotes.map(({ candidateId }) => candidateId).sort(),
    )
  })
})

describe('fitRidge', () => {
  it('finds the line that made the numbers when it is hardly pulled', () => {
    const rows = [
      [0, 1],
      [1, 0],
      [2, 5],
      [3, 1],
      [-1, 4],
    ]
    const weights = fitRidge(
      rows,
      rows.map(([a = 0, b = 0]) => 2 + 3 * a - b),
      1e-9,
    )
    expect(weights.map(weight => Math.round(weight * 1e4) / 1e4)).toEqual([2, 3, -1])
  })

  it('stays near zero when it is pulled hard', () => {
    expect(Math.abs(fitRidge([[1], [2]], [10, 20], 1e6)[1] ?? 1)).toBeLessThan(0.01)
  })
})
