import { describe, expect, it } from 'vitest'
import { followVotes, type JudgedQuestion } from '../../../bench/ssev/follow-votes.ts'
import { crossingOf, standingsAt } from '../../../bench/ssev/summarize-courses.ts'
import { bestEpsilon, type ExpertRound, followExperts } from '../../../src/ranking/experts.ts'

const question = (id: string, said: Readonly<Record<string, string | null>>): JudgedQuestion => ({
  id,
  answers: new Map(
    Object.entries(said).map(([expert, key]) => [
      expert,
      { key, candidateId: key === null ? null : `${id}/${expert}` },
    ]),
  ),
  right: new Set(['right']),
})

/** One expert who knows, against three who are wrong together in every third question and silent in some. */
const questions = Array.from({ length: 120 }, (_, at) =>
  question(`q${at}`, {
    knows: at % 20 === 0 ? 'wrong' : 'right',
    ...Object.fromEntries(
      ['a', 'b', 'c'].map(name => [name, at % 3 === 0 ? 'wrong' : at % 7 === 0 ? null : 'right']),
    ),
  }),
)

const epsilon = bestEpsilon(4, questions.length)

describe('followVotes', () => {
  it('counts the mistakes that the evaluation of pools counts, whatever the order', async () => {
    const course = await followVotes(questions, { seed: 1, epsilon })
    const { mistakes } = followExperts(
      questions.map(({ answers }): ExpertRound => ({ answers, isRight: key => key === 'right' })),
    )
    for (const [expert, counts] of course.ofExperts) expect(counts.at(-1)).toBe(mistakes.get(expert))
    expect(course.mistakes.naive.at(-1)).toBe(40)
  })

  it('learns whom to believe, also from thumbs alone', async () => {
    const { mistakes, shares } = await followVotes(questions, { seed: 2, epsilon })
    expect(mistakes.wma.at(-1)).toBeLessThan(25)
    expect(mistakes.thumbs.at(-1)).toBeLessThan(30)
    expect(shares.get('knows')?.at(0)).toBeCloseTo(1 / 4, 12)
    expect(shares.get('knows')?.at(-1)).toBeGreaterThan(0.7)
  })

  it('is the same for the same seed', async () => {
    const [one, same, other] = await Promise.all(
      [3, 3, 4].map(seed => followVotes(questions, { seed, epsilon })),
    )
    expect(one).toEqual(same)
    expect(one).not.toEqual(other)
  })
})

describe('standingsAt', () => {
  it('gives errors and regret against the expert that was best until then', async () => {
    const courses = await Promise.all([1, 2].map(seed => followVotes(questions, { seed, epsilon })))
    const [end] = standingsAt(courses, [questions.length])
    expect(end?.best.error).toBeCloseTo(6 / 120, 12)
    expect(end?.choosers.naive).toMatchObject({ errorDeviation: 0, regret: 34, regretDeviation: 0 })
  })
})

describe('crossingOf', () => {
  it('is where one curve goes below another for good', () => {
    expect(crossingOf([3, 1, 3, 1, 1], [2, 2, 2, 2, 2])).toBe(3)
    expect(crossingOf([1, 1], [2, 2])).toBe(0)
    expect(crossingOf([1, 2], [2, 2])).toBeNull()
  })
})
