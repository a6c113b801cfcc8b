import { describe, expect, it } from 'vitest'
import { putWinnerFirst } from '../../../../graphs/answer/comparison/tournament.ts'
import { makeMembers } from './make-members.ts'

const scored = (scores: Record<string, number>) =>
  makeMembers(Object.fromEntries(Object.entries(scores).map(([key, score]) => [key, { score }]))).map(
    ({ group }) => group,
  )

const shown = (groups: ReturnType<typeof scored>) => groups.map(({ key, score }) => `${key} ${score}`)

describe('crowning the winner', () => {
  it('leaves a confirmed leader as it was', () => {
    const groups = scored({ A: 0.6, B: 0.3 })
    expect(putWinnerFirst(groups, 'A')).toEqual(groups)
  })

  it('gives a winner from behind what the likeliest had, and nobody more', () => {
    expect(shown([...putWinnerFirst(scored({ A: 0.4, B: 0.35, C: 0.2 }), 'B')])).toEqual([
      'B 0.4',
      'A 0.4',
      'C 0.2',
    ])
    expect(shown([...putWinnerFirst(scored({ A: 0.4, B: 0.35, C: 0.2 }), 'C')])).toEqual([
      'C 0.4',
      'A 0.4',
      'B 0.35',
    ])
  })

  it('never makes an answer against the vote a sure one', () => {
    expect(shown([...putWinnerFirst(scored({ A: 0.9, B: 0.1 }), 'B')])).toEqual(['B 0.5', 'A 0.5'])
    // The vote may give its leader less than a rival: the leader is only the likeliest of those with most votes.
    expect(shown([...putWinnerFirst(scored({ A: 0.1, B: 0.7 }), 'B')])).toEqual(['B 0.5', 'A 0.1'])
  })

  it('gives a confirmed leader no less than those it has beaten', () => {
    expect(shown([...putWinnerFirst(scored({ A: 0.12, B: 0.39, C: 0.09 }), 'A')])).toEqual([
      'A 0.39',
      'B 0.39',
      'C 0.09',
    ])
  })

  it('gives the winner what a leader had that a probe put out', () => {
    const groups = scored({ A: 0.2, B: 0.2, C: 0.05 })
    const [leader, winner] = groups.map(({ representativeId }) => representativeId)
    const lost = { first: leader!, second: winner!, winner: 'second', by: 'probe', reason: '' } as const
    expect(shown([...putWinnerFirst(groups, 'B', [lost])])).toEqual(['B 0.4', 'A 0.2', 'C 0.05'])
    expect(shown([...putWinnerFirst(groups, 'B', [{ ...lost, by: 'model' }])])).toEqual([
      'B 0.2',
      'A 0.2',
      'C 0.05',
    ])
    expect(shown([...putWinnerFirst(groups, 'A', [{ ...lost, winner: 'first' }])])[0]).toBe('A 0.2')
  })

  it('knows groups that it was given only', () => {
    const groups = scored({ A: 0.6 })
    expect(putWinnerFirst(groups, 'Z')).toBe(groups)
    expect(putWinnerFirst([], 'A')).toEqual([])
  })
})
