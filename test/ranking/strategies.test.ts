import { describe, expect, it } from 'vitest'
import type { CandidateVote } from '../../src/domain/selection/ranking.ts'
import { makeRankGroups } from '../../src/ranking/selector/rank-groups.ts'
import { makeLearnedSelection } from '../../src/ranking/strategies.ts'
import { makeCandidateVote } from './make-candidate-vote.ts'
import { makeSelectorModel } from './selector/make-measured.ts'

const votes = (...results: readonly (string | null)[]): readonly CandidateVote[] =>
  results.map((result, at) =>
    makeCandidateVote(`${at}`, result, { evidence: { absentLiterals: result === 'absent' ? 1 : 0 } }),
  )

const rank = makeRankGroups(makeSelectorModel({ 'vote-share': 2, 'literal-absent': -3, parser: 2 }, [1]))

/** Continues until this many votes are counted. */
const until = (count: number) =>
  makeLearnedSelection({
    rank,
    judge: ({ votes: candidateVotes }) => ({ continues: candidateVotes < count, gain: 0, reason: '' }),
  })

describe('the learned selection', () => {
  it('chooses by what the selector ranks first, with its probability and all groups', () => {
    const { candidateId, confidence, groups, ranked } = until(9)(votes('absent', 'absent', 'B', null))
    expect(candidateId).toBe('2')
    expect(confidence).toBe(ranked[0]?.probability)
    expect(confidence).toBeCloseTo(1 / (1 + Math.exp(-1)), 10)
    expect(
      groups.map(({ key, candidateIds, representativeId }) => [key, candidateIds, representativeId]),
    ).toEqual([
      ['B', ['2'], '2'],
      ['absent', ['0', '1'], '0'],
    ])
    expect(groups.reduce((sum, { score }) => sum + score, 0)).toBeLessThanOrEqual(1)
  })

  it('says what it would have chosen had it stopped early', () => {
    const candidateVotes = votes('A', 'A', 'B', 'B', 'B')
    expect(until(2)(candidateVotes)).toMatchObject({
      candidateId: '2',
      early: { consumed: 2, candidateId: '0' },
    })
    expect(until(99)(candidateVotes).early).toEqual({ consumed: 5, candidateId: '2' })
    expect(until(0)(candidateVotes).early).toEqual({ consumed: 1, candidateId: '0' })
  })

  it('hears parserEvidence, for the choice and for when to stop', () => {
    const heard: number[] = []
    const select = makeLearnedSelection({
      rank,
      judge: ({ otherPrior, groups }) => {
        heard.push(Math.max(otherPrior, ...groups.map(({ prior }) => prior)))
        return { continues: false, gain: 0, reason: '' }
      },
    })
    const evidence = { groupKey: 'B', probability: 0.7, observation: null }
    expect(select(votes('A', 'B')).candidateId).toBe('0')
    expect(select(votes('A', 'B'), [evidence, evidence]).candidateId).toBe('1')
    // Readings with one result are as likely as they say together, and never more than certain.
    expect(heard).toEqual([0, 1])
  })

  it('has nothing to choose where nothing ran', () => {
    expect(until(9)(votes(null, null))).toEqual({
      ...{ candidateId: null, confidence: 0, groups: [], ranked: [] },
      early: { consumed: 2, candidateId: null },
    })
    expect(until(9)([])).toMatchObject({ candidateId: null, early: { consumed: 0 } })
  })
})
