import { describe, expect, it } from 'vitest'
import type { LabeledPair, MeasuredGroup } from '../../../src/domain/selection/ranking.ts'
import { fitPairs } from '../../../src/ranking/learning/train-on-votes.ts'

const group = (measures: Record<string, number>): MeasuredGroup => ({
  key: JSON.stringify(measures),
  candidateIds: ['c'],
  representativeId: 'c',
  measures,
})

const pair = (better: Record<string, number>, worse: Record<string, number>, weight = 1): LabeledPair => ({
  better: group(better),
  worse: group(worse),
  weight,
})

const names = ['votes', 'empty']

const fit = { names, scales: [10, 1], pull: 1 }

describe('fitPairs', () => {
  it('stays at the prior without pairs', () => {
    expect(fitPairs([], { ...fit, prior: [2, -1] })).toEqual([2, -1])
    expect(fitPairs([], fit)).toEqual([0, 0])
  })

  it('solves one pair exactly: pull times the move is the share that was missed', () => {
    const [votes = 0, empty] = fitPairs([pair({ votes: 10 }, {})], fit)
    // The condition of the minimum: w = 1 - sigmoid(w), of which the root is .4010581...
    expect(votes).toBeCloseTo(0.401058, 4)
    expect(empty).toBe(0)
  })

  it('stands where no point of a fine grid is better', () => {
    const pairs = [
      pair({ votes: 10 }, { empty: 1 }),
      pair({ votes: 3 }, { votes: 9, empty: 2 }, 0.5),
      pair({ votes: 4, empty: 1 }, { votes: 6 }, 2),
    ]
    const prior = [0.5, -0.5]
    const price = (at: readonly number[]): number =>
      at.reduce((sum, weight, i) => sum + (weight - prior[i]!) ** 2 / 2, 0) +
      pairs.reduce((sum, { better, worse, weight }) => {
        const lead = names.reduce(
          (all, name, i) =>
            all + (((better.measures[name] ?? 0) - (worse.measures[name] ?? 0)) / fit.scales[i]!) * at[i]!,
          0,
        )
        return sum + weight * Math.log1p(Math.exp(-lead))
      }, 0)
    const grid = Array.from({ length: 401 }, (_, step) => (step - 200) / 100)
    let best = [0, 0]
    for (const votes of grid)
      for (const empty of grid) if (price([votes, empty]) < price(best)) best = [votes, empty]
    const found = fitPairs(pairs, { ...fit, prior })
    for (const i of [0, 1]) expect(Math.abs(found[i]! - best[i]!)).toBeLessThanOrEqual(0.005 + 1e-3)
    expect(price(found)).toBeLessThanOrEqual(price(best))
  })

  it('counts measures in units of their scales', () => {
    const tens = fitPairs([pair({ votes: 30 }, { votes: 10 })], fit)
    const ones = fitPairs([pair({ votes: 3 }, { votes: 1 })], { ...fit, scales: [1, 1] })
    expect(tens[0]).toBeCloseTo(ones[0]!, 6)
  })

  it('takes a weight of two for the same pair twice', () => {
    const once = pair({ votes: 4 }, { votes: 9, empty: 1 })
    const [twice, heavy] = [fitPairs([once, once], fit), fitPairs([{ ...once, weight: 2 }], fit)]
    for (const i of [0, 1]) expect(heavy[i]).toBeCloseTo(twice[i]!, 4)
  })

  it('moves the prior by little data a little, and by much data far', () => {
    const against = pair({ votes: 0 }, { votes: 10 })
    const prior = [1, 0]
    const movedBy = (n: number) =>
      1 -
      fitPairs(
        Array.from({ length: n }, () => against),
        { ...fit, prior, pull: 20 },
      )[0]!
    expect(movedBy(1)).toBeGreaterThan(0)
    expect(movedBy(1)).toBeLessThan(0.05)
    expect(movedBy(200)).toBeGreaterThan(1)
  })

  it('leaves features alone that are not named', () => {
    expect(fitPairs([pair({ other: 5 }, {})], { ...fit, prior: [1, 1] })).toEqual([1, 1])
  })

  it('gives nothing for a pair and its opposite', () => {
    const [votes, empty] = fitPairs([pair({ votes: 9 }, { empty: 1 }), pair({ empty: 1 }, { votes: 9 })], fit)
    expect(votes).toBeCloseTo(0, 6)
    expect(empty).toBeCloseTo(0, 6)
  })
})
