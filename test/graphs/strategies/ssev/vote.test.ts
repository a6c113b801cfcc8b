import { describe, expect, it } from 'vitest'
import { expertsOf } from '../../../../graphs/strategies/ssev/experts.ts'
import { answersOf, drawFor, groupsOfVote, roundOf } from '../../../../graphs/strategies/ssev/vote.ts'
import { chooseMember } from '../../../../src/ranking/features/measure-groups.ts'
import { makeCandidate, ranWith } from '../../../helpers/make-candidate.ts'

const experts = expertsOf({ experts: ['a', 'b', 'c'], styles: 3 }, ['drafter'])

const failed = { status: 'failed', errorClass: 'syntax', message: 'no' } as const

const candidates = [
  makeCandidate({ id: 'a1', run: ranWith('x') }),
  makeCandidate({ id: 'a2', run: ranWith('y') }),
  makeCandidate({ id: 'b1', run: ranWith('x') }),
  makeCandidate({ id: 'b2', run: failed }),
  makeCandidate({ id: 'c1', run: failed }),
]

const statements = candidates.map(({ id }) => ({
  ...{ expert: id[0] ?? '', candidateId: id },
  round: id.endsWith('1') ? ('first' as const) : ('second' as const),
}))

const answers = answersOf(experts, statements, candidates)

describe('what experts say', () => {
  it('is the result of their last statement that ran', () => {
    expect([...answers]).toEqual([
      ['a', { key: 'y', candidateId: 'a2' }],
      ['b', { key: 'x', candidateId: 'b1' }],
      ['c', { key: null, candidateId: null }],
    ])
    expect(roundOf('q', answers)).toEqual({
      questionId: 'q',
      groups: [
        { key: 'y', candidateIds: ['a2'] },
        { key: 'x', candidateIds: ['b1'] },
      ],
      answers: [
        { expert: 'a', key: 'y' },
        { expert: 'b', key: 'x' },
        { expert: 'c', key: null },
      ],
    })
  })
})

describe('the groups of a vote', () => {
  const shares = new Map([
    ['y', 0.3],
    ['x', 0.6],
  ])

  it('begin with the chosen one, also if it was drawn against the weight', () => {
    const vote = { key: 'y', candidateId: 'a2', shares, drawn: 'a' }
    const groups = groupsOfVote(vote, answers, { candidates, chooseMember, confidence: 0.5 })
    expect(groups.map(({ key, score }) => [key, score])).toEqual([
      ['y', 0.3],
      ['x', 0.5],
    ])
    expect(groups[0]?.reasons).toEqual(['1 of 3 experts, 30% of the weight; a was drawn'])
  })

  it('show the order of columns that most members have', () => {
    const swapped = [
      { id: 'one', order: 'n,k' },
      { id: 'two', order: 'k,n' },
      { id: 'three', order: 'k,n' },
    ]
    const alike = swapped.map(({ id, order }) =>
      makeCandidate({ id, run: { ...ranWith('x'), columnsKey: order } as ReturnType<typeof ranWith> }),
    )
    const all = new Map(swapped.map(({ id }) => [id, { key: 'x', candidateId: id }]))
    const vote = { key: 'x', candidateId: 'one', shares: new Map([['x', 1]]), drawn: null }
    const [group] = groupsOfVote(vote, all, { candidates: alike, chooseMember, confidence: 1 })
    expect(group?.representativeId).toBe('two')
  })
})

describe('the draw of a question', () => {
  it('is the same each time, another for another attempt, and none without rwma', () => {
    expect(drawFor('q1', 0, 'rwma')).toBe(drawFor('q1', 0, 'rwma'))
    expect(drawFor('q1', 0, 'rwma')).not.toBe(drawFor('q1', 1, 'rwma'))
    expect(drawFor('q1', 0, 'wma')).toBe(0)
  })

  it('covers all numbers from 0 to 1 alike', () => {
    const draws = Array.from({ length: 2000 }, (_, at) => drawFor(`question ${at}`, 0, 'rwma'))
    expect(draws.reduce((sum, draw) => sum + draw, 0) / draws.length).toBeCloseTo(0.5, 1)
    expect(draws.filter(draw => draw < 0.1).length / draws.length).toBeCloseTo(0.1, 1)
  })
})

describe('the experts', () => {
  it('are the models of the settings, each once, or those that draft', () => {
    const names = (models: readonly string[], drafters: readonly string[]) =>
      expertsOf({ experts: [...models], styles: 2 }, drafters).map(({ name }) => name)
    expect(names(['a', 'b', 'a'], ['c'])).toEqual(['a', 'b'])
    expect(names([], ['c', 'd'])).toEqual(['c', 'd'])
    expect(names([], ['c'])).toEqual(['c/plain', 'c/result-first'])
  })
})
