import { describe, expect, it } from 'vitest'
import type { AnswerFeedback } from '../../src/domain/feedback.ts'
import { bestEpsilon, rateExperts } from '../../src/ranking/experts.ts'
import { capWeights, toFeedbackSignals } from '../../src/ranking/learning/signals.ts'
import { makeFeedback, makeKept, makeVote } from './learning/make-feedback.ts'

/** Every vote counts fully here. */
const rate = (feedback: readonly AnswerFeedback[]) =>
  rateExperts(feedback, capWeights(feedback.flatMap(toFeedbackSignals)))

/** Mistakes by expert; `a`, `b` and `c` each drafted the result of their name. */
const mistakesOf = (...feedback: Partial<AnswerFeedback>[]) =>
  Object.fromEntries(
    rate(feedback.map((given, i) => makeFeedback({ questionId: `q${i}`, ...given }))).map(
      ({ expert, mistakes }) => [expert, mistakes],
    ),
  )

describe('rateExperts', () => {
  it('counts a mistake for everyone whose result was spoken against', () => {
    expect(mistakesOf({ votes: [makeVote('U1', 'up')] })).toEqual({ a: 0, b: 1, c: 1 })
    expect(mistakesOf({ votes: [makeVote('U1', 'down')] })).toEqual({ a: 1, b: 0, c: 0 })
    expect(mistakesOf({ feedback: [makeKept('U1', 'sql', { groupKey: 'new' })] })).toEqual({
      a: 1,
      b: 1,
      c: 1,
    })
  })

  it('weighs what several people say of one answer', () => {
    const votes = [makeVote('U1', 'up'), makeVote('U2', 'down'), makeVote('U3', 'down')]
    expect(mistakesOf({ votes }).a).toBe(1)
  })

  it('takes a share of the weight at each mistake, as the Weighted Majority Algorithm does', () => {
    const feedback = Array.from({ length: 10 }, (_, i) =>
      makeFeedback({ questionId: `q${i}`, votes: [makeVote(`U${i}`, 'up')] }),
    )
    const [a, b] = rate(feedback)
    expect(a).toEqual({ expert: 'a', weight: 1, mistakes: 0, rounds: 10 })
    expect(b!.weight).toBeCloseTo((1 - bestEpsilon(3, 10)) ** 10, 12)
  })

  it('gives a way to draft one word: the result that most of its candidates have', () => {
    const [group, other] = makeFeedback().snapshot.groups
    const snapshot = {
      version: 'shipped',
      groups: [group!, { ...other!, candidateIds: ['b/1', 'b/2'] }],
    }
    const candidates = ['a/1', 'b/1', 'b/2'].map(id => ({ id, lineage: 'same', sql: 'select 1' }))
    expect(mistakesOf({ snapshot, candidates, votes: [makeVote('U1', 'up')] })).toEqual({ same: 1 })
  })

  it('knows nobody without feedback', () => {
    expect(rate([makeFeedback()])).toEqual([])
  })
})
