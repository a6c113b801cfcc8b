import { describe, expect, it } from 'vitest'
import { chooseByMajority } from '../../src/ranking/strategies.ts'
import { countVotes } from '../../src/ranking/votes.ts'
import { makeBallot } from './make-ballot.ts'

describe('countVotes', () => {
  it('ranks results by their share of all candidates, those that did not run included', () => {
    const standing = countVotes([
      makeBallot('1', 'x'),
      makeBallot('2', 'y', { lineage: 'b' }),
      makeBallot('3', 'y'),
      makeBallot('4', null),
    ])
    expect(standing.groups.map(({ key, votes, lineages, score }) => [key, votes, lineages, score])).toEqual([
      ['y', 2, 2, 0.5],
      ['x', 1, 1, 0.25],
    ])
    expect(standing).toMatchObject({ votes: 4, failed: 1 })
  })

  it('keeps results together that differ in the order of columns, and shows the order that most members have', () => {
    const ballots = [
      makeBallot('1', 'x', { columns: 'ba' }),
      makeBallot('2', 'y'),
      makeBallot('3', 'y'),
      makeBallot('4', 'x', { columns: 'ab' }),
      makeBallot('5', 'x', { columns: 'ab' }),
    ]
    expect(countVotes(ballots).groups[0]).toMatchObject({ key: 'x', representativeId: '4' })
    // The published vote tells the orders apart; then y has as many votes as x, and came first.
    expect(chooseByMajority(ballots)).toBe('2')
  })

  it('shows the order of the question where the votes for the order are even', () => {
    const ballots = [
      makeBallot('1', 'x', { columns: 'ba', evidence: { columnInversions: 1 } }),
      makeBallot('2', 'x', { columns: 'ab' }),
    ]
    expect(countVotes(ballots).groups[0]?.representativeId).toBe('2')
  })

  it('lets evidence outweigh votes: an empty result, or a literal that no column holds', () => {
    for (const evidence of [{ isEmpty: true }, { absentLiterals: 1 }]) {
      const ballots = [
        makeBallot('1', 'x', { evidence }),
        makeBallot('2', 'x', { evidence }),
        makeBallot('3', 'y'),
        makeBallot('4', null),
      ]
      expect(countVotes(ballots).groups[0]?.key).toBe('y')
    }
  })

  it('does not hold a literal against a result that another member reaches without it', () => {
    const ballots = [makeBallot('1', 'x', { evidence: { absentLiterals: 1 } }), makeBallot('2', 'x')]
    expect(countVotes(ballots).groups[0]?.hasAbsentLiteral).toBe(false)
  })

  it('counts what a path that knows its odds says, and remembers what it says of other results', () => {
    const ballots = [makeBallot('1', 'x'), makeBallot('2', 'y')]
    const standing = countVotes(
      ballots,
      new Map([
        ['y', 0.7],
        ['z', 0.2],
      ]),
    )
    expect(standing.groups[0]).toMatchObject({ key: 'y', prior: 0.7 })
    expect(standing.otherPrior).toBe(0.2)
  })

  it('has no leader while nothing has run', () => {
    expect(countVotes([makeBallot('1', null)]).groups).toEqual([])
    expect(chooseByMajority([makeBallot('1', null)])).toBeNull()
  })
})
