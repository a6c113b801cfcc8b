import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MeasuredGroup } from '../../../src/domain/selection/ranking.ts'
import { explainChoice, makeRankGroups, measureChoice } from '../../../src/ranking/selector/rank-groups.ts'
import { contributions, makeComparePair, utilityOf } from '../../../src/ranking/selector/selector-model.ts'
import { makeMeasured, makeSelectorModel } from './make-measured.ts'

/** How many numbers a choice is measured in. */
const measureCount = measureChoice([{ utility: 0, candidates: 1, measures: {} }]).length

const names = ['vote-share', 'result-empty', 'parser', 'literal-absent']

const number = fc.double({ min: -5, max: 5, noNaN: true })

const models = fc
  .record({
    weights: fc.array(number, { minLength: 4, maxLength: 4 }),
    calibration: fc.array(number, { minLength: 1, maxLength: 1 + measureCount }),
  })
  .map(({ weights, calibration }) =>
    makeSelectorModel(Object.fromEntries(names.map((name, at) => [name, weights[at]!])), calibration),
  )

const measures = fc.dictionary(fc.constantFrom(...names), number)

const groupsOf = (all: readonly Readonly<Record<string, number>>[]): readonly MeasuredGroup[] =>
  all.map((one, at) => makeMeasured(`g${at}`, one, 1 + (at % 3)))

const groups = fc.array(measures, { minLength: 1, maxLength: 7 }).map(groupsOf)

describe('the utility of a group', () => {
  const model = { features: [{ name: 'result-empty', scale: 2, weight: -3 }] }

  it('adds up what its features weigh in units of their scales', () => {
    expect(contributions(makeMeasured('A', { 'result-empty': 4 }), model)).toEqual([-6])
    expect(utilityOf(makeMeasured('A', { 'result-empty': 4 }), model)).toBe(-6)
  })

  it('is zero for what the model does not know, and for what was not measured', () => {
    expect(utilityOf(makeMeasured('A', { mood: 4 }), model)).toBe(0)
    expect(utilityOf(makeMeasured('A'), model)).toBe(0)
  })
})

describe('comparing a pair', () => {
  it('is antisymmetric', () => {
    fc.assert(
      fc.property(models, measures, measures, (model, a, b) => {
        const compare = makeComparePair(model)
        const [first, second] = [makeMeasured('a', a), makeMeasured('b', b)]
        expect(compare(first, second) + compare(second, first)).toBeCloseTo(1, 10)
        expect(compare(first, first)).toBe(0.5)
      }),
    )
  })

  it('goes by the difference in utility', () => {
    const compare = makeComparePair(makeSelectorModel({ parser: 1 }))
    expect(compare(makeMeasured('A', { parser: Math.log(3) }), makeMeasured('B'))).toBeCloseTo(0.75, 10)
  })
})

describe('ranking groups', () => {
  it('puts the one in front that beats each other, with probabilities that add up to at most one', () => {
    fc.assert(
      fc.property(models, groups, (model, given) => {
        const ranked = makeRankGroups(model)(given)
        const compare = makeComparePair(model)
        const of = (key: string) => given.find(group => group.key === key)!
        expect(ranked.map(({ key }) => key).sort()).toEqual(given.map(({ key }) => key).sort())
        for (const { key } of ranked)
          expect(compare(of(ranked[0]!.key), of(key))).toBeGreaterThanOrEqual(0.5 - 1e-12)
        for (const { probability } of ranked) {
          expect(probability).toBeGreaterThanOrEqual(0)
          expect(probability).toBeLessThanOrEqual(1)
        }
        expect(ranked.reduce((sum, { probability }) => sum + probability, 0)).toBeLessThanOrEqual(1 + 1e-9)
      }),
    )
  })

  it('never calls one behind likelier than one before it', () => {
    fc.assert(
      fc.property(models, groups, (model, given) => {
        const probabilities = makeRankGroups(model)(given).map(({ probability }) => probability)
        expect(probabilities).toEqual(probabilities.toSorted((a, b) => b - a))
      }),
    )
  })

  it('leaves equals in the order in which they came', () => {
    const rank = makeRankGroups(makeSelectorModel({ parser: 1 }))
    const tied = ['A', 'B', 'C'].map(key => makeMeasured(key, { parser: 0.5 }))
    expect(rank(tied).map(({ key }) => key)).toEqual(['A', 'B', 'C'])
    expect(rank(tied.toReversed()).map(({ key }) => key)).toEqual(['C', 'B', 'A'])
  })

  it('says why, for the winner beside the next best and for the others beside the winner', () => {
    const rank = makeRankGroups(makeSelectorModel({ parser: 2, 'result-empty': -3 }))
    const [winner, second, third] = rank([
      makeMeasured('A', { 'result-empty': 1 }),
      makeMeasured('B', { parser: 0.5 }),
      makeMeasured('C'),
    ])
    expect(winner).toMatchObject({
      key: 'B',
      reasons: ['the interpretation without a model gives the same result'],
    })
    expect(second).toMatchObject({
      key: 'C',
      reasons: ['of the other: the interpretation without a model gives the same result'],
    })
    expect(third).toMatchObject({
      key: 'A',
      reasons: [
        'its result is empty',
        'of the other: the interpretation without a model gives the same result',
      ],
    })
  })

  it('is as sure of the winner as calibration says, and shares what is left with answers nobody drafted', () => {
    // Of choice measures none weighs: the intercept alone says .8.
    const rank = makeRankGroups(makeSelectorModel({ parser: 1 }, [Math.log(4)]))
    const [winner, second] = rank([makeMeasured('A', { parser: 1 }), makeMeasured('B', { parser: 1 })])
    expect(winner?.probability).toBeCloseTo(0.8, 10)
    expect(second?.probability).toBeCloseTo(0.2 / 1.25, 10)
    expect(rank([makeMeasured('A')])).toMatchObject([{ key: 'A', reasons: [] }])
    expect(rank([])).toEqual([])
  })
})

describe('explaining a choice', () => {
  const model = makeSelectorModel({
    'vote-share': 1,
    'vote-log-share': 1,
    'result-empty': -2,
    parser: 0.5,
    'sql-nested': -0.01,
    mood: 9,
  })

  it('names the strongest first, each reason once, at most three, and nothing small or unknown', () => {
    const winner = makeMeasured('A', { 'vote-share': 2, 'vote-log-share': 1, parser: 1, mood: 1 })
    const rival = makeMeasured('B', { 'result-empty': 1.4, 'sql-nested': 3 })
    expect(explainChoice(winner, rival, model)).toEqual([
      'of the other: its result is empty',
      'more candidates agree on it',
      'the interpretation without a model gives the same result',
    ])
  })

  it('says the same of a pair from both sides', () => {
    const [a, b] = [makeMeasured('A', { 'result-empty': 1 }), makeMeasured('B', { parser: 1 })]
    expect(explainChoice(a, b, model)).toEqual([
      'its result is empty',
      'of the other: the interpretation without a model gives the same result',
    ])
    expect(explainChoice(b, a, model)).toEqual([
      'of the other: its result is empty',
      'the interpretation without a model gives the same result',
    ])
    expect(explainChoice(a, a, model)).toEqual([])
  })
})

describe('measuring a choice', () => {
  const chosen = (utility: number, candidates: number, of: Readonly<Record<string, number>> = {}) => ({
    ...{ utility, candidates, measures: of },
  })

  it('says how far the winner is ahead of the next and of all others, and what stands behind it', () => {
    const own = { 'vote-share': 0.5, 'vote-margin': 0.25, parser: 0.3, 'literal-absent': 1 }
    const [odds, gap, groups, candidates, ...rest] = measureChoice([
      chosen(2, 4, own),
      chosen(1, 3),
      chosen(1, 1),
    ])
    expect(odds).toBeCloseTo(-Math.log(2 * Math.exp(-1) + Math.exp(-6)), 10)
    expect(gap).toBe(1)
    expect([groups, candidates]).toEqual([Math.log(3), Math.log(8)])
    expect(rest).toEqual([0.5, 0.25, 0.3, 0, 1])
  })

  it('is bounded, alone or far ahead', () => {
    expect(measureChoice([chosen(5, 1)]).slice(0, 2)).toEqual([6, 6])
    expect(measureChoice([chosen(50, 1), chosen(-50, 1)])[1]).toBe(6)
  })
})
