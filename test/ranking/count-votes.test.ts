import { describe, expect, it } from 'vitest'
import { chooseByMajority } from '../../src/ranking/strategies.ts'
import { countVotes } from '../../src/ranking/votes.ts'
import { makeCandidateVote } from './make-candidate-vote.ts'

describe('countVotes', () => {
  it('ranks results by their share of all candidates, those that did not run included', () => {
    const tally = countVotes([
      makeCandidateVote('1', 'x'),
      makeCandidateVote('2', 'y', { lineage: 'b' }),
      makeCandidateVote('3', 'y'),
      makeCandidateVote('4', null),
    ])
    expect(tally.groups.map(({ key, votes, lineages, score }) => [key, votes, lineages, score])).toEqual([
      ['y', 2, 2, 0.5],
      ['x', 1, 1, 0.25],
    ])
    expect(tally).toMatchObject({ votes: 4, failed: 1 })
  })

  it('keeps results together that differ in the order of columns, and shows the order that most members have', () => {
    const candidateVotes = [
      makeCandidateVote('1', 'x', { columns: 'ba' }),
      makeCandidateVote('2', 'y'),
      makeCandidateVote('3', 'y'),
      makeCandidateVote('4', 'x', { columns: 'ab' }),
      makeCandidateVote('5', 'x', { columns: 'ab' }),
    ]
    expect(countVotes(candidateVotes).groups[0]).toMatchObject({ key: 'x', representativeId: '4' })
    // The published vote tells the orders apart; then y has as many votes as x, and came first.
    expect(chooseByMajority(candidateVotes)).toBe('2')
  })

  it('shows the order of the question where the votes for the order are even', () => {
    const candidateVotes = [
      makeCandidateVote('1', 'x', { columns: 'ba', evidence: { columnInversions: 1 } }),
      makeCandidateVote('2', 'x', { columns: 'ab' }),
    ]
    expect(countVotes(candidateVotes).groups[0]?.representativeId).toBe('2')
  })

  it('lets evidence outweigh votes: an empty result, or a literal that no column holds', () => {
    for (const evidence of [{ isEmpty: true }, { absentLiterals: 1 }]) {
      const candidateVotes = [
        makeCandidateVote('1', 'x', { evidence }),
        makeCandidateVote('2', 'x', { evidence }),
        makeCandidateVote('3', 'y'),
        makeCandidateVote('4', null),
      ]
      expect(countVotes(candidateVotes).groups[0]?.key).toBe('y')
    }
  })

  it('does not hold a literal against a result that another member reaches without it', () => {
    const candidateVotes = [
      makeCandidateVote('1', 'x', { evidence: { absentLiterals: 1 } }),
      makeCandidateVote('2', 'x'),
    ]
    expect(countVotes(candidateVotes).groups[0]?.hasAbsentLiteral).toBe(false)
  })

  it('counts what a path that knows its odds says, and remembers what it says of other results', () => {
    const candidateVotes = [makeCandidateVote('1', 'x'), makeCandidateVote('2', 'y')]
    const tally = countVotes(
      candidateVotes,
      new Map([
        ['y', 0.7],
        ['z', 0.2],
      ]),
    )
    expect(tally.groups[0]).toMatchObject({ key: 'y', prior: 0.7 })
    expect(tally.otherPrior).toBe(0.2)
  })

  it('has no leader while nothing has run', () => {
    expect(countVotes([makeCandidateVote('1', null)]).groups).toEqual([])
    expect(chooseByMajority([makeCandidateVote('1', null)])).toBeNull()
  })
})
