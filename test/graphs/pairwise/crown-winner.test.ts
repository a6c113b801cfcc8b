import { describe, expect, it } from 'vitest'
import { crownWinner } from '../../../graphs/answer/pairwise/crown-winner.ts'
import { makeMembers } from './make-members.ts'

const scored = (scores: Record<string, number>) =>
  makeMembers(Object.fromEntries(Object.entries(scores).map(([key, score]) => [key, { score }]))).map(
    ({ group }) => group,
  )
const shown = (groups: ReturnType<typeof scored>) => groups.map(({ key, score }) => `${key} ${score}`)

describe('crowning the winner', () => {
  it('leaves a confirmed leader as it was', () => {
    const groups = scored({ A: 0.6, B: 0.3 })
    expect(crownWinner(groups, 'A')).toBe(groups)
  })

  it('lets a winner from behind change places with the leader', () => {
    expect(shown([...crownWinner(scored({ A: 0.4, B: 0.35, C: 0.2 }), 'B')])).toEqual([
      'B 0.4',
      'A 0.35',
      'C 0.2',
    ])
    expect(shown([...crownWinner(scored({ A: 0.4, B: 0.35, C: 0.2 }), 'C')])).toEqual([
      'C 0.4',
      'B 0.35',
      'A 0.2',
    ])
  })

  it('never makes an answer against the vote a sure one', () => {
    expect(shown([...crownWinner(scored({ A: 0.9, B: 0.1 }), 'B')])).toEqual(['B 0.5', 'A 0.1'])
  })

  it('knows groups that it was given only', () => {
    const groups = scored({ A: 0.6 })
    expect(crownWinner(groups, 'Z')).toBe(groups)
    expect(crownWinner([], 'A')).toEqual([])
  })
})
