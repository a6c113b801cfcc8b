import { describe, expect, it } from 'vitest'
import { fitLogistic, probabilityOf } from '../../../src/ranking/learning/fit.ts'
import { fitWeights, makeFeatureNames } from '../../../training/parser/fit-weights.ts'
import { type Origin, packReadings, scoreReadings } from '../../../training/parser/interpretation-lists.ts'

const listOf = (origin: Origin, readings: readonly (readonly [feature: string, right: boolean])[]) => {
  const names = makeFeatureNames()
  names.numberOf('good')
  names.numberOf('bad')
  const labelled = readings.map(([feature, right]) => ({ features: [[feature, 1]] as const, right }))
  return packReadings({ database: 'any', origin }, labelled, names)
}

/** The zero of a rising function, by bisection. */
const zeroOf = (f: (x: number) => number): number => {
  let [low, high] = [-20, 20]
  for (let i = 0; i < 100; i++) {
    const middle = (low + high) / 2
    if (f(middle) < 0) low = middle
    else high = middle
  }
  return low
}

describe('fitWeights', () => {
  const readings = [
    ['good', true],
    ['bad', false],
  ] as const

  it('stops where the gain in share is worth the pull', () => {
    const [good = 0, bad = 0] = fitWeights([listOf('file', readings)], Float64Array.of(0, 0))
    // By symmetry bad = -good, and 4 good = 1 - share = 1 / (1 + e^(2 good)).
    const wanted = zeroOf(w => 4 * w - 1 / (1 + Math.exp(2 * w)))
    expect(good).toBeCloseTo(wanted, 4)
    expect(bad).toBeCloseTo(-wanted, 4)
  })

  it("counts a company's question eight times", () => {
    const [good = 0] = fitWeights([listOf('company', readings)], Float64Array.of(0, 0))
    expect(good).toBeCloseTo(
      zeroOf(w => 4 * w - 8 / (1 + Math.exp(2 * w))),
      4,
    )
  })

  it('learns nothing where all readings are right, or none', () => {
    const lists = [
      listOf('file', [
        ['good', true],
        ['bad', true],
      ]),
      listOf('file', [['bad', false]]),
    ]
    expect([...fitWeights(lists, Float64Array.of(1, 2))]).toEqual([1, 2])
  })
})

describe('packReadings', () => {
  it('adds up what occurs more than once and leaves out noughts', () => {
    const names = makeFeatureNames()
    const features = [
      ['a', 1],
      ['b', 0],
      ['a', 2],
      ['c', -1],
    ] as const
    const list = packReadings({ database: 'any', origin: 'file' }, [{ features, right: true }], names)
    expect(names.all).toEqual(['a', 'c'])
    expect([...scoreReadings(list, Float64Array.of(10, 1))]).toEqual([29])
  })
})

describe('fitLogistic', () => {
  it('finds the share where there is only the intercept', () => {
    const cases = [true, true, true, false].map(right => ({ measures: [1], right }))
    const model = fitLogistic(cases)
    expect(model[0]).toBeCloseTo(Math.log(3), 4)
    expect(probabilityOf([1], model)).toBeCloseTo(0.75, 4)
  })

  it('pulls slopes toward zero', () => {
    const cases = [
      { measures: [1, 1], right: true },
      { measures: [1, -1], right: false },
    ]
    const [intercept, slope] = fitLogistic(cases)
    expect(intercept).toBeCloseTo(0, 4)
    expect(slope).toBeCloseTo(
      zeroOf(b => b - 2 / (1 + Math.exp(b))),
      4,
    )
  })
})
