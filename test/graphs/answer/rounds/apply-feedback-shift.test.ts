import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyFeedbackShift } from '../../../../graphs/answer/rounds/tally.ts'
import type { ExecutionGroup } from '../../../../src/domain/candidate.ts'
import { makeFeedbackShift } from '../../../../src/ranking/selector/selector-model.ts'
import { makeMeasured, makeSelectorModel } from '../../../ranking/selector/make-measured.ts'

const odds = (key: string, score: number): ExecutionGroup => ({
  ...{ key, score },
  candidateIds: [`${key}0`],
  representativeId: `${key}0`,
})

const own = [odds('A', 0.5), odds('B', 0.3), odds('C', 0.1)]

/** What a champion has learned of a group's one measure, in logits. */
const learned = (by: Readonly<Record<string, number>>) =>
  applyFeedbackShift(
    own,
    own.map(({ key }) => makeMeasured(key, { taught: by[key] ?? 0 })),
    makeFeedbackShift(
      makeSelectorModel({ taught: 1, 'vote-share': 2 }),
      makeSelectorModel({ 'vote-share': 2 }),
    ),
  )

describe('odds of free paths', () => {
  it('stay exactly as they are under the shipped selector, and under one that learned nothing', () => {
    const measured = own.map(({ key }, at) => makeMeasured(key, { 'vote-share': at, parser: 1 / 3 }))
    const shipped = makeSelectorModel({ 'vote-share': 0.7, parser: 1.3 })
    expect(applyFeedbackShift(own, measured, undefined)).toBe(own)
    expect(applyFeedbackShift(own, measured, makeFeedbackShift(shipped, shipped))).toBe(own)
    expect(learned({ A: 0.4, B: 0.4, C: 0.4 })).toBe(own)
  })

  it('turn where votes speak for another, by e to the shift, and share what they shared', () => {
    const [first, second, third] = learned({ B: Math.log(4) })
    expect([first?.key, second?.key, third?.key]).toEqual(['B', 'A', 'C'])
    // .5, 4 x .3 and .1 are 1.8 together, and were .9.
    expect(first?.score).toBeCloseTo(0.6, 10)
    expect(second?.score).toBeCloseTo(0.25, 10)
    expect(third?.score).toBeCloseTo(0.05, 10)
  })

  it('say what votes did, and nothing of groups that they left alone', () => {
    expect(learned({ B: 1, C: -1 }).map(({ key, reasons }) => [key, reasons])).toEqual([
      ['B', ['votes on earlier answers are for it']],
      ['A', undefined],
      ['C', ['votes on earlier answers are against it']],
    ])
  })

  it('move beside the leader by a factor of twenty at most', () => {
    const [first, second] = learned({ C: 50 })
    expect([first?.key, second?.key]).toEqual(['C', 'A'])
    expect((first?.score ?? 0) / (second?.score ?? 1)).toBeCloseTo(Math.exp(3) / 5, 10)
  })

  it('keep their sum and their order by it, whatever was learned', () => {
    const shift = fc.double({ min: -9, max: 9, noNaN: true })
    fc.assert(
      fc.property(shift, shift, shift, (A, B, C) => {
        const shifted = learned({ A, B, C }).map(({ score }) => score)
        expect(shifted.reduce((sum, score) => sum + score, 0)).toBeCloseTo(0.9, 10)
        expect(shifted).toEqual(shifted.toSorted((a, b) => b - a))
      }),
    )
  })
})
