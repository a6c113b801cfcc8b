import { describe, expect, it } from 'vitest'
import { mixPools, type PoolQuestion } from '../../src/evaluation/execute-pools.ts'
import { makeCandidateVote } from '../ranking/make-candidate-vote.ts'

/** One question with the results that a source's candidates had; `right` is right. */
const part = (source: string, ...results: readonly string[]): PoolQuestion => ({
  id: 'q',
  database: 'd',
  candidates: results.map((_, rank) => ({ sql: `${source} ${rank}`, source, rank })),
  candidateVotes: results.map((result, rank) =>
    makeCandidateVote(`${source}/${rank}`, result, { lineage: source }),
  ),
  labels: results.map(result => ({ ex: result === 'right', anyOrder: result === 'right' })),
  parserEvidence: [{ groupKey: 'right', probability: 0.5, observation: null }],
})

describe('mixing pools', () => {
  it('takes the first of each, then the second of each, with their candidateVotes and labels', () => {
    const mixed = mixPools([
      part('a', 'right', 'wrong', 'wrong'),
      part('b', 'wrong'),
      part('c', 'odd', 'right'),
    ])
    expect(mixed.candidates.map(({ sql }) => sql)).toEqual(['a 0', 'b 0', 'c 0', 'a 1', 'c 1', 'a 2'])
    expect(mixed.candidateVotes.map(({ candidateId }) => candidateId)).toEqual([
      'a/0',
      'b/0',
      'c/0',
      'a/1',
      'c/1',
      'a/2',
    ])
    expect(mixed.labels.map(({ ex }) => ex)).toEqual([true, false, false, false, true, false])
    expect(mixed).toMatchObject({ id: 'q', database: 'd', parserEvidence: [{ groupKey: 'right' }] })
  })

  it('leaves one pool as it is', () => {
    const one = part('a', 'right', 'wrong')
    expect(mixPools([one])).toEqual(one)
    expect(mixPools([part('a'), part('b')]).candidates).toEqual([])
  })
})
