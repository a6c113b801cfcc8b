import { describe, expect, it } from 'vitest'
import { PRIOR_OF_APPROVED } from '../../src/domain/candidate.ts'
import { groupCandidates } from '../../src/ranking/votes.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'

describe('groupCandidates', () => {
  it('adds up rival readings of one lineage that give the same result', () => {
    const groups = groupCandidates([
      makeCandidate({ id: 'a', prior: 0.3, run: ranWith('x') }),
      makeCandidate({ id: 'b', prior: 0.25, run: ranWith('y') }),
      makeCandidate({ id: 'c', prior: 0.2, run: ranWith('y') }),
    ])
    expect(groups.map(group => group.key)).toEqual(['y', 'x'])
    expect(groups[0]?.score).toBeCloseTo(0.45)
  })

  it('trusts two independent lineages more than either', () => {
    const [group] = groupCandidates([
      makeCandidate({ id: 'a', lineage: 'p', prior: 0.5, run: ranWith('x') }),
      makeCandidate({ id: 'b', lineage: 'q', prior: 0.5, run: ranWith('x') }),
    ])
    expect(group?.score).toBeCloseTo(0.75)
  })

  it('never lets all groups together exceed certainty', () => {
    const groups = groupCandidates([
      makeCandidate({ id: 'a', lineage: 'p', prior: 0.9, run: ranWith('x') }),
      makeCandidate({ id: 'b', lineage: 'q', prior: 0.9, run: ranWith('y') }),
    ])
    expect(groups.map(group => group.score)).toEqual([0.5, 0.5])
  })

  it('lets nothing outweigh what a person approved for the question', () => {
    const approved = makeCandidate({
      ...{ id: 'b', path: 'verified-example', lineage: 'q', prior: PRIOR_OF_APPROVED },
      run: ranWith('y'),
    })
    const groups = groupCandidates([
      makeCandidate({ id: 'a', lineage: 'p', prior: 0.95, run: ranWith('x') }),
      approved,
      makeCandidate({ id: 'c', lineage: 'p', prior: 0.02, run: ranWith('z') }),
    ])
    expect(groups.map(({ key }) => key)).toEqual(['y', 'x', 'z'])
    expect(groups[0]?.score).toBe(PRIOR_OF_APPROVED)
    expect(groups.reduce((sum, { score }) => sum + score, 0)).toBeCloseTo(1)
    // Another wording of a verified question is one opinion among others.
    const alike = { ...approved, prior: PRIOR_OF_APPROVED - 0.2 }
    expect(groupCandidates([makeCandidate({ prior: 0.95, run: ranWith('x') }), alike])[0]?.key).toBe('x')
  })

  it('leaves out candidates that failed or were not run', () => {
    const failed = { status: 'failed', errorClass: 'syntax', message: 'no' } as const
    expect(groupCandidates([makeCandidate({ run: failed }), makeCandidate({ id: 'b' })])).toEqual([])
  })

  it('trusts an empty result less', () => {
    const groups = groupCandidates([
      makeCandidate({ id: 'a', prior: 0.4, run: ranWith('empty', 0) }),
      makeCandidate({ id: 'b', prior: 0.35, run: ranWith('full', 3) }),
    ])
    expect(groups[0]?.key).toBe('full')
  })

  it('shows the member that needed no repair', () => {
    const repair = { round: 1, sql: 'x', errorClass: 'syntax', message: 'm' } as const
    const [group] = groupCandidates([
      makeCandidate({ id: 'a', prior: 0.6, repairs: [repair], run: ranWith('x') }),
      makeCandidate({ id: 'b', prior: 0.2, run: ranWith('x') }),
    ])
    expect(group?.representativeId).toBe('b')
  })
})
