import { describe, expect, it } from 'vitest'
import { reserveForOtherAnswers } from '../../src/clarification/find-clarification.ts'

const groups = (...scores: number[]) =>
  scores.map((score, at) => ({ key: String(at), candidateIds: [], representativeId: '', score }))

const left = (...scores: number[]) => reserveForOtherAnswers(groups(...scores)).map(({ score }) => score)

describe('room for an answer that nobody drafted', () => {
  it('is made where the groups share everything, and costs the leader nothing', () => {
    const [leader, second = 0, third = 0] = left(0.6, 0.3, 0.1)
    expect(leader).toBe(0.6)
    expect(second).toBeLessThan(0.3)
    expect(second / third).toBeCloseTo(3)
  })

  it('is there already where they do not', () => {
    expect(left(0.6, 0.2, 0.1)).toEqual([0.6, 0.2, 0.1])
    expect(left(0.9)).toEqual([0.9])
    expect(left()).toEqual([])
  })
})
