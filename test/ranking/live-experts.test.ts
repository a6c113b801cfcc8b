import { describe, expect, it } from 'vitest'
import type { ExpertAnswers, ExpertRound } from '../../src/domain/selection/experts.ts'
import { changesOfMistakes } from '../../src/domain/selection/experts.ts'
import { chooseByExperts, weighMistakes, wrongByLabel, wrongExperts } from '../../src/ranking/live-experts.ts'
import { makeKept, makeVote } from './learning/make-feedback.ts'

const answers: ExpertAnswers = new Map([
  ['a', { key: 'x', candidateId: 'x/1' }],
  ['b', { key: 'y', candidateId: 'y/1' }],
  ['c', { key: 'y', candidateId: 'y/2' }],
  ['d', { key: null, candidateId: null }],
])

const choose = (more: Partial<Parameters<typeof chooseByExperts>[0]> = {}) =>
  chooseByExperts({ answers, mistakes: new Map(), epsilon: 0.5, vote: 'wma', draw: 0, ...more })

describe('chooseByExperts', () => {
  it('takes the heaviest result, and says what share of all weight is behind each', () => {
    expect(choose()).toEqual({
      ...{ key: 'y', candidateId: 'y/1', drawn: null },
      shares: new Map([
        ['x', 0.25],
        ['y', 0.5],
      ]),
    })
    const mistakes = new Map([
      ['b', 2],
      ['c', 1],
      ['d', 3],
    ])
    const vote = choose({ mistakes })
    expect(vote?.key).toBe('x')
    expect(vote?.shares.get('x')).toBeCloseTo(1 / (1 + 0.25 + 0.5 + 0.125), 12)
  })

  it('counts heads when it is naive, whatever the record says', () => {
    const mistakes = new Map([
      ['b', 9],
      ['c', 9],
    ])
    expect(choose({ mistakes, vote: 'naive' })?.key).toBe('y')
  })

  it('draws one expert by weight, and names it', () => {
    expect(choose({ vote: 'rwma', draw: 0.1 })).toMatchObject({ key: 'x', drawn: 'a' })
    expect(choose({ vote: 'rwma', draw: 0.99 })).toMatchObject({ candidateId: 'y/2', drawn: 'c' })
  })

  it('chooses nothing where nobody has a result', () => {
    expect(choose({ answers: new Map([['d', { key: null, candidateId: null }]]) })).toBeNull()
  })
})

describe('weighMistakes', () => {
  it('takes the share epsilon at every mistake', () => {
    expect(weighMistakes(new Map([['a', 3]]), 0.1).get('a')).toBeCloseTo(0.9 ** 3, 12)
  })
})

const round: ExpertRound = {
  questionId: 'q1',
  groups: ['a', 'b'].map(key => ({ key, candidateIds: [`${key}/1`] })),
  answers: [
    { expert: 'one', key: 'a' },
    { expert: 'two', key: 'b' },
    { expert: 'silent', key: null },
  ],
}

/** By people of whom nothing else is known. */
const judge = (
  of: ExpertRound,
  said: Pick<Parameters<typeof wrongExperts>[1], 'votes' | 'feedback'>,
  more: Partial<Parameters<typeof wrongExperts>[1]> = {},
  admins: readonly string[] = [],
) => wrongExperts(of, { ...said, reviews: [], speakers: [], ...more }, new Set(admins))

describe('wrongExperts', () => {
  it('blames the others of a thumb up, and those behind the answer of a thumb down', () => {
    expect(judge(round, { votes: [makeVote('U1', 'up')], feedback: [] })).toEqual(['two', 'silent'])
    expect(judge(round, { votes: [makeVote('U1', 'down')], feedback: [] })).toEqual(['one'])
  })

  it('believes a picked result and a corrected statement', () => {
    const picked = [makeKept('U1', 'alternative', { groupKey: 'b' })]
    expect(judge(round, { votes: [makeVote('U1', 'down')], feedback: picked })).toEqual(['one', 'silent'])
    const corrected = [makeKept('U1', 'sql', { groupKey: 'of nobody' })]
    expect(judge(round, { votes: [], feedback: corrected })).toEqual(['one', 'two', 'silent'])
  })

  it('weighs what several people say', () => {
    const votes = [makeVote('U1', 'up'), makeVote('U2', 'down'), makeVote('U3', 'down')]
    expect(judge(round, { votes, feedback: [] })).toEqual(['one'])
  })

  it('learns of a result that all share, and knows nothing without feedback', () => {
    const alone = { ...round, groups: round.groups.slice(0, 1), answers: round.answers.slice(0, 1) }
    expect(judge(alone, { votes: [makeVote('U1', 'down')], feedback: [] })).toEqual(['one'])
    expect(judge(round, { votes: [], feedback: [] })).toBeNull()
    const format = [makeKept('U1', 'reason', { reason: 'format' })]
    expect(judge(round, { votes: [makeVote('U1', 'down')], feedback: format })).toBeNull()
  })
})

describe('wrongByLabel', () => {
  it('blames everyone without the right result', () => {
    expect(wrongByLabel(round, key => key === 'b')).toEqual(['one', 'silent'])
  })
})

describe('changesOfMistakes', () => {
  it('adds what is new and takes back what is not said any more', () => {
    expect([...changesOfMistakes(['a', 'b'], ['b', 'c'])]).toEqual([
      ['c', 1],
      ['a', -1],
    ])
  })
})
