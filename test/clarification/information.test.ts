import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partition } from '../../src/clarification/contenders.ts'
import { entropy, informationGain, valueOfAsking } from '../../src/clarification/find-clarification.ts'

/** Probabilities of groups, best first, with something left for "none of them", and a choice for each. */
const asking = fc
  .array(fc.tuple(fc.double({ min: 0.001, max: 1, noNaN: true }), fc.integer({ min: 0, max: 3 })), {
    minLength: 1,
    maxLength: 8,
  })
  .chain(groups =>
    fc.double({ min: 0, max: 1, noNaN: true }).map(none => {
      const all = groups.reduce((sum, [weight]) => sum + weight, none)
      const ranked = groups.toSorted(([a], [b]) => b - a)
      return {
        probabilities: ranked.map(([weight]) => weight / all),
        blocks: partition(ranked.map(([, choice]) => String(choice))),
      }
    }),
  )

const massOf = (probabilities: readonly number[], block: readonly number[]): number =>
  block.reduce((sum, at) => sum + (probabilities[at] ?? 0), 0)

describe('a partition', () => {
  it('has every group in one block, and blocks in the order of their likeliest groups', () => {
    fc.assert(
      fc.property(asking, ({ probabilities, blocks }) => {
        expect(blocks.flat().toSorted((a, b) => a - b)).toEqual([...probabilities.keys()])
        expect(blocks.map(([first]) => first)).toEqual(
          blocks.map(([first]) => first).toSorted((a = 0, b = 0) => a - b),
        )
      }),
    )
  })
})

describe('expected information gain', () => {
  it('is the entropy of the answer, since whoever knows what is right knows what to choose', () => {
    fc.assert(
      fc.property(asking, ({ probabilities, blocks }) => {
        const answers = blocks.map(block => massOf(probabilities, block))
        expect(informationGain(probabilities, blocks)).toBeCloseTo(entropy(answers), 6)
      }),
    )
  })

  it('is never more than all that is unknown, and grows when a block is parted', () => {
    fc.assert(
      fc.property(asking, ({ probabilities, blocks }) => {
        const gain = informationGain(probabilities, blocks)
        const finest = informationGain(
          probabilities,
          probabilities.map((_, at) => [at]),
        )
        expect(gain).toBeGreaterThanOrEqual(0)
        expect(gain).toBeLessThanOrEqual(finest + 1e-9)
        expect(finest).toBeLessThanOrEqual(entropy(probabilities) + 1e-9)
      }),
    )
  })

  it('is one bit for two sure halves', () => {
    expect(informationGain([0.5, 0.5], [[0], [1]])).toBeCloseTo(1)
    expect(informationGain([0.5, 0.5], [[0, 1]])).toBeCloseTo(0)
  })
})

describe('the value of asking', () => {
  it('is what the best of the other options may add', () => {
    expect(valueOfAsking([0.5, 0.2, 0.15, 0.05], [[0], [1], [2]])).toBeCloseTo(0.35)
    // Within an option the likeliest is answered.
    expect(valueOfAsking([0.5, 0.2, 0.15, 0.05], [[0], [1, 2]])).toBeCloseTo(0.2)
    expect(valueOfAsking([0.5, 0.2], [[0, 1]])).toBeCloseTo(0)
  })

  it('is never negative where the leader may be chosen, nor takes it past what may be right', () => {
    fc.assert(
      fc.property(asking, ({ probabilities, blocks }) => {
        const value = valueOfAsking(probabilities, blocks)
        expect(value).toBeGreaterThanOrEqual(-1e-9)
        expect(value + (probabilities[0] ?? 0)).toBeLessThanOrEqual(1 + 1e-9)
      }),
    )
  })
})
