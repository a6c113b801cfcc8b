import { describe, expect, it } from 'vitest'
import { ratePairByScore } from '../../../../graphs/answer/comparison/pair-judges.ts'
import { makeMembers } from './make-members.ts'

const [leader, second, third] = makeMembers({ A: { score: 0.6 }, B: { score: 0.3 }, C: { score: 0.1 } })

describe('the rate of a pair by the vote', () => {
  it('adds up to 1 over both orders', () => {
    for (const [a, b] of [
      [leader, second!],
      [leader, third!],
      [second!, third!],
    ] as const)
      expect(ratePairByScore(a, b) + ratePairByScore(b, a)).toBeCloseTo(1)
  })

  it('takes half off what those behind the leader share', () => {
    expect(ratePairByScore(leader, second!)).toBeCloseTo(0.6 / (0.6 + 0.15))
    expect(ratePairByScore(second!, third!)).toBeCloseTo(0.75)
  })

  it('never turns the order of the vote', () => {
    const [weak, strong] = makeMembers({ A: { score: 0.1 }, B: { score: 0.7 } })
    expect([ratePairByScore(weak, strong!), ratePairByScore(strong!, weak)]).toEqual([0.5, 0.5])
    const [none, nothing] = makeMembers({ A: { score: 0 }, B: { score: 0 } })
    expect(ratePairByScore(none, nothing!)).toBe(0.5)
  })
})
