import { describe, expect, it } from 'vitest'
import { type RatedAnswer, scoreConfidence } from '../../src/evaluation/score-selection.ts'

const answer = (confidence: number, right: boolean): RatedAnswer => ({ confidence, right })

/** Two answers a bin, the surest bin first: `right` of the two are right. */
const bins = (...of: readonly (readonly [confidence: number, right: 0 | 1 | 2])[]): readonly RatedAnswer[] =>
  of.flatMap(([confidence, right]) => [answer(confidence, right > 0), answer(confidence, right > 1)])

describe('scoring confidence', () => {
  it('compares what is said with what is so in ten bins of as many answers each', () => {
    const score = scoreConfidence(
      bins(
        [0.95, 2],
        [0.9, 2],
        [0.85, 2],
        [0.8, 1],
        [0.75, 2],
        [0.7, 1],
        [0.6, 1],
        [0.5, 1],
        [0.3, 0],
        [0.1, 0],
      ),
    )!
    // By hand: .05 + .1 + .15 + .3 + .25 + .2 + .1 + 0 + .3 + .1, a tenth each.
    expect(score.ece).toBeCloseTo(0.155, 10)
    expect(score.eceInterval!.low).toBeLessThanOrEqual(score.ece)
    expect(score.eceInterval!.high).toBeGreaterThanOrEqual(score.ece)
  })

  it('sees what bins of equal width would hide, and lets errors within a bin even out', () => {
    // All say about .8: of equal width one bin, where too much and too little meet. Of equal mass they do not.
    const answers = [
      ...Array.from({ length: 10 }, () => answer(0.81, false)),
      ...Array.from({ length: 40 }, () => answer(0.8, true)),
    ]
    expect(scoreConfidence(answers)!.ece).toBeCloseTo((10 * 0.81 + 40 * 0.2) / 50, 10)
    expect(scoreConfidence([answer(0.5, true), answer(0.5, false)])!.ece).toBeCloseTo(0.5, 10)
  })

  it('is the same whatever the order of answers that differ', () => {
    const answers = Array.from({ length: 37 }, (_, at) => answer(at / 37, at % 3 === 0))
    expect(scoreConfidence(answers.toReversed())!.ece).toBeCloseTo(scoreConfidence(answers)!.ece, 10)
  })

  it('says by how much it is better than always saying the share of right answers', () => {
    const { brier, brierSkill } = scoreConfidence([
      answer(0.9, true),
      answer(0.8, true),
      answer(0.4, false),
      answer(0.3, true),
    ])!
    const expected = (0.01 + 0.04 + 0.16 + 0.49) / 4
    expect(brier).toBeCloseTo(expected, 10)
    expect(brierSkill).toBeCloseTo(1 - expected / (0.75 * 0.25), 10)
    const plain = scoreConfidence([true, true, true, false].map(right => answer(0.75, right)))!
    expect(plain.brierSkill).toBeCloseTo(0, 10)
  })

  it('says nothing of skill where all answers are right, or all are wrong', () => {
    expect(scoreConfidence([answer(0.9, true)])!.brierSkill).toBeNull()
    expect(scoreConfidence([answer(0.9, false)])!.brierSkill).toBeNull()
  })

  it('counts the wrong ones among the surest', () => {
    // Of ten the three least sure, and the third, are wrong.
    const { curve, riskAt80, riskAt100, overHalf } = scoreConfidence(
      Array.from({ length: 10 }, (_, at) => answer(1 - at / 10, at < 7 && at !== 2)),
    )!
    expect(curve.map(({ coverage }) => coverage)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1])
    expect(curve.map(({ risk }) => risk)).toEqual([
      0,
      0,
      1 / 3,
      1 / 4,
      1 / 5,
      1 / 6,
      1 / 7,
      2 / 8,
      3 / 9,
      4 / 10,
    ])
    expect([riskAt80, riskAt100]).toEqual([0.25, 0.4])
    expect(overHalf!.low).toBeLessThanOrEqual(0.25 - 0.2)
    expect(overHalf!.high).toBeGreaterThanOrEqual(0.25 - 0.2)
  })

  it('draws the same interval from the same seed, narrower with more answers', () => {
    const make = (count: number) =>
      Array.from({ length: count }, (_, at) => answer((at % 10) / 10, at % 2 === 0))
    expect(scoreConfidence(make(60), 7)).toEqual(scoreConfidence(make(60), 7))
    const width = ({ overHalf }: NonNullable<ReturnType<typeof scoreConfidence>>) =>
      overHalf!.high - overHalf!.low
    expect(width(scoreConfidence(make(400))!)).toBeLessThan(width(scoreConfidence(make(40))!))
  })

  it('says nothing of no answers, and keeps the surest of one', () => {
    expect(scoreConfidence([])).toBeNull()
    expect(scoreConfidence([answer(0.6, true)])).toMatchObject({ riskAt80: 0, riskAt100: 0 })
  })
})
