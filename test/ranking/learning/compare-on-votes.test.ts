import { describe, expect, it } from 'vitest'
import type { ComparePair } from '../../../src/domain/selection/ranking.ts'
import {
  compareOnVotes,
  likelihoodOfClaim,
  NONE_RIGHT,
  selectorBeliefs,
  toLabeledGroups,
} from '../../../src/ranking/learning/compare-on-votes.ts'
import {
  type FeedbackClaim,
  type FeedbackSignal,
  toFeedbackSignals,
} from '../../../src/ranking/learning/signals.ts'
import { toPairs } from '../../../src/ranking/learning/train-on-votes.ts'
import { makeFeedback, makeVote } from './make-feedback.ts'

/** Believes in groups as these odds say. */
const odds =
  (of: Readonly<Record<string, number>>): ComparePair =>
  (first, second) =>
    of[first.key]! / (of[first.key]! + of[second.key]!)

const unsure = odds({ a: 1, b: 1, c: 1 })

const statement = (claim: FeedbackClaim, slip = 0.2): FeedbackSignal => ({
  ...toFeedbackSignals(makeFeedback({ votes: [makeVote('U1', 'up')] }))[0]!,
  claim,
  slip,
})

/** How likely each group is right after a statement. */
const likelyUnder = (
  claim: FeedbackClaim,
  believe: ComparePair,
  slip?: number,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    toLabeledGroups(statement(claim, slip), believe).map(({ right, weight }) => [[...right][0]!, weight]),
  )

describe('beliefsOf', () => {
  it('is a softmax over utilities, less what is kept for none', () => {
    const beliefs = selectorBeliefs(makeFeedback().snapshot.groups, odds({ a: 6, b: 3, c: 1 }))
    expect(beliefs.map(belief => belief / (1 - NONE_RIGHT))).toEqual([
      expect.closeTo(0.6, 9),
      expect.closeTo(0.3, 9),
      expect.closeTo(0.1, 9),
    ])
    expect(selectorBeliefs([], unsure)).toEqual([])
  })
})

describe('likelihoodOfClaim', () => {
  const truths = ['a', 'b', 'c', null]

  it('adds up to 1 over everything that could have been named, whatever the truth', () => {
    for (const truth of truths) {
      const named = ['a', 'b', 'c', 'new'].map(key =>
        likelihoodOfClaim(statement({ kind: 'named', key }), truth),
      )
      expect(named.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9)
      expect(named[truths.indexOf(truth)]).toBe(0.8)
    }
  })

  it('is that of a thumb up or down', () => {
    for (const truth of truths) {
      const up = likelihoodOfClaim(statement({ kind: 'right', key: 'a' }), truth)
      expect(up).toBe(truth === 'a' ? 0.8 : 0.2)
      expect(up + likelihoodOfClaim(statement({ kind: 'wrong', key: 'a' }), truth)).toBe(1)
    }
  })

  it('says nothing of two results of which neither is right', () => {
    const better = statement({ kind: 'better', key: 'b', than: 'a' }, 0.3)
    expect(truths.map(truth => likelihoodOfClaim(better, truth))).toEqual([0.3, 0.7, 0.5, 0.5])
  })
})

describe('toLabelledGroups', () => {
  it('follows Bayes: belief times the probability of the claim', () => {
    const up = likelyUnder({ kind: 'right', key: 'a' }, unsure)
    const total = 0.3 * 0.8 + 0.6 * 0.2 + 0.1 * 0.2
    expect(up.a).toBeCloseTo((0.3 * 0.8) / total, 9)
    expect(up.b).toBeCloseTo((0.3 * 0.2) / total, 9)
    expect(up.b).toBe(up.c)
  })

  it('takes a thumb down on a sure answer mostly for a slip, and one on a doubtful answer at its word', () => {
    const down: FeedbackClaim = { kind: 'wrong', key: 'a' }
    const sure = likelyUnder(down, odds({ a: 98, b: 1, c: 1 }))
    const doubtful = likelyUnder(down, odds({ a: 40, b: 30, c: 30 }))
    expect(sure.a).toBeGreaterThan(0.6)
    expect(doubtful.a).toBeLessThan(doubtful.b!)
  })

  it('learns nothing from a person who is as often wrong as right', () => {
    const believe = odds({ a: 6, b: 3, c: 1 })
    const idle = likelyUnder({ kind: 'right', key: 'a' }, believe, 0.5)
    expect(idle).toEqual({
      a: expect.closeTo(0.54, 9),
      b: expect.closeTo(0.27, 9),
      c: expect.closeTo(0.09, 9),
    })
    // And so the pairs pull at no weight: each is won as often as it was believed to be.
    const statements = toLabeledGroups(statement({ kind: 'right', key: 'a' }, 0.5), believe)
    const wins = new Map<string, number>()
    for (const { better, worse, weight } of statements.flatMap(toPairs))
      wins.set(`${better.key}${worse.key}`, (wins.get(`${better.key}${worse.key}`) ?? 0) + weight)
    expect(wins.get('ab')! / (wins.get('ab')! + wins.get('ba')!)).toBeCloseTo(6 / 9, 9)
  })

  it('gives nothing to the drafted results when somebody names another', () => {
    const weights = Object.values(likelyUnder({ kind: 'named', key: 'new' }, unsure))
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeLessThan(0.45)
  })

  it('never weighs more than the statement', () => {
    const held = { ...statement({ kind: 'right', key: 'a' }), weight: 0.25 }
    const weights = toLabeledGroups(held, odds({ a: 98, b: 1, c: 1 })).map(({ weight }) => weight)
    expect(weights).toHaveLength(1)
    expect(weights[0]).toBeLessThanOrEqual(0.25)
  })
})

describe('compareOnVotes', () => {
  const statements = ['q1', 'q2', 'q3', 'q4'].map((questionId, i) => ({
    ...statement({ kind: i === 3 ? 'wrong' : 'right', key: 'a' }),
    questionId,
  }))

  it('favours the selector that foretells what people say', () => {
    const { gain, questions, champion, challenger, standardError } = compareOnVotes(statements, {
      champion: unsure,
      challenger: odds({ a: 8, b: 1, c: 1 }),
    })
    expect(questions).toBe(4)
    expect(gain).toBeCloseTo(champion - challenger, 9)
    expect(gain).toBeGreaterThan(0)
    expect(standardError).toBeGreaterThan(0)
  })

  it('bounds what one slip can cost the surest selector', () => {
    const sure = odds({ a: 1e12, b: 1, c: 1 })
    const { challenger } = compareOnVotes(statements.slice(3), { champion: unsure, challenger: sure })
    expect(challenger).toBeLessThan(-Math.log(0.2))
  })

  it('finds no difference between a selector and itself, nor where nobody said anything', () => {
    expect(compareOnVotes(statements, { champion: unsure, challenger: unsure })).toMatchObject({
      gain: 0,
      standardError: 0,
    })
    expect(compareOnVotes([], { champion: unsure, challenger: unsure })).toMatchObject({
      questions: 0,
      gain: 0,
    })
  })
})
