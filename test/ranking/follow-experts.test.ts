import { describe, expect, it } from 'vitest'
import { seededRandom } from '../../src/evaluation/statistics.ts'
import {
  answersOfExperts,
  bestEpsilon,
  chooseByWeight,
  drawByWeight,
  type ExpertRound,
  followExperts,
  penalize,
  regretOf,
} from '../../src/ranking/experts.ts'
import { makeCandidateVote } from './make-candidate-vote.ts'

const round = (said: Readonly<Record<string, string | null>>, right: string): ExpertRound => ({
  answers: new Map(
    Object.entries(said).map(([expert, key]) => [expert, { key, candidateId: key === null ? null : expert }]),
  ),
  isRight: key => key === right,
})

describe('answersOfExperts', () => {
  it('gives each lineage one word: what most of its candidates say, the earliest of equals', () => {
    const answers = answersOfExperts([
      makeCandidateVote('a1', 'x', { lineage: 'a' }),
      makeCandidateVote('b1', 'x', { lineage: 'b' }),
      makeCandidateVote('a2', 'y', { lineage: 'a' }),
      makeCandidateVote('a3', 'y', { lineage: 'a' }),
      makeCandidateVote('b2', 'y', { lineage: 'b' }),
      makeCandidateVote('c1', null, { lineage: 'c' }),
    ])
    expect([...answers]).toEqual([
      ['a', { key: 'y ', candidateId: 'a2' }],
      ['b', { key: 'x ', candidateId: 'b1' }],
      ['c', { key: null, candidateId: null }],
    ])
  })
})

describe('the weighted majority', () => {
  const { answers } = round({ a: 'x', b: 'y', c: 'y', d: null }, 'x')

  it('sums up the weights behind each answer', () => {
    expect(chooseByWeight(answers, new Map())?.candidateId).toBe('b')
    const weights = new Map([
      ['b', 0.5],
      ['c', 0.4],
    ])
    expect(chooseByWeight(answers, weights)?.candidateId).toBe('a')
  })

  it('takes the earliest of equals, and nothing where nobody has an answer', () => {
    expect(chooseByWeight(round({ a: 'x', b: 'y' }, 'x').answers, new Map())?.candidateId).toBe('a')
    expect(chooseByWeight(round({ a: null }, 'x').answers, new Map())).toBeNull()
  })
})

describe('the randomised weighted majority', () => {
  it('draws experts with an answer in proportion to their weights', () => {
    const { answers } = round({ a: 'x', b: 'y', c: null }, 'x')
    const weights = new Map([['b', 0.25]])
    const random = seededRandom(7)
    const draws = Array.from({ length: 4000 }, () => drawByWeight(answers, weights, random)?.candidateId)
    expect(draws.filter(id => id === 'a').length / draws.length).toBeCloseTo(0.8, 1)
    expect(draws).not.toContain(null)
    expect(drawByWeight(round({ c: null }, 'x').answers, weights, random)).toBeNull()
  })

  it('draws somebody also when all weights came to zero', () => {
    const nobody = new Map([
      ['a', 0],
      ['b', 0],
    ])
    expect(drawByWeight(round({ a: 'x', b: 'y' }, 'x').answers, nobody, () => 0.5)).not.toBeNull()
  })
})

describe('followExperts', () => {
  it('penalises every expert that was wrong, and one without an answer', () => {
    const rounds = [
      round({ a: 'x', b: 'y', c: null }, 'x'),
      round({ a: 'x', b: 'y', c: 'x' }, 'y'),
      round({ a: 'x', b: 'x', c: 'x' }, 'x'),
    ]
    const course = followExperts(rounds)
    const epsilon = bestEpsilon(3, 3)
    expect(epsilon).toBe(0.5)
    expect([...course.mistakes]).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 2],
    ])
    expect(course.weights.get('c')).toBeCloseTo((1 - epsilon) ** 2, 12)
    expect(penalize(new Map(), ['a'], 0.1).get('a')).toBeCloseTo(0.9, 12)
  })

  it('keeps the bounds on mistakes on rounds of every kind', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const random = seededRandom(seed)
      const skills = Array.from({ length: 2 + Math.floor(random() * 8) }, () => random())
      const rounds = Array.from({ length: 20 + Math.floor(random() * 200) }, () =>
        round(
          Object.fromEntries(
            skills.map((skill, i) => [
              `e${i}`,
              random() < skill ? 'right' : random() < 0.2 ? null : `w${Math.floor(random() * 3)}`,
            ]),
          ),
          'right',
        ),
      )
      const { wma, rwma, best } = regretOf(followExperts(rounds))
      expect(wma.mistakes).toBeLessThanOrEqual(wma.bound!)
      expect(rwma.mistakes).toBeLessThanOrEqual(rwma.bound!)
      expect(wma.regret).toBe(wma.mistakes - best!.mistakes)
    }
  })

  it('ends up following the one expert who knows, against a crowd that errs together', () => {
    const rounds = Array.from({ length: 200 }, (_, i) =>
      round({ a: 'wrong', b: 'wrong', c: 'wrong', d: i % 20 === 0 ? 'wrong' : 'right' }, 'right'),
    )
    const { mistakesOfMajority, weights } = followExperts(rounds)
    expect(mistakesOfMajority).toBeLessThan(40)
    expect(chooseByWeight(rounds[1]!.answers, weights)?.candidateId).toBe('d')
  })

  it('has nothing to learn from one expert, or from none', () => {
    const alone = regretOf(followExperts([round({ a: 'x' }, 'y')]))
    expect(alone).toMatchObject({
      epsilon: 0,
      best: { expert: 'a', mistakes: 1 },
      wma: { regret: 0, bound: null },
    })
    expect(regretOf(followExperts([]))).toMatchObject({ experts: 0, best: null, rwma: { mistakes: 0 } })
  })
})
