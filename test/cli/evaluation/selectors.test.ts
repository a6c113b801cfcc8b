import { describe, expect, it } from 'vitest'
import { makeSelector, runExpertsOnPool } from '../../../src/cli/evaluation/selectors.ts'
import type { PoolQuestion } from '../../../src/evaluation/execute-pools.ts'
import { renderSelection } from '../../../src/evaluation/render-selection.ts'
import { regretOf } from '../../../src/ranking/experts.ts'
import { makeCandidateVote } from '../../ranking/make-candidate-vote.ts'

/** Three systems answer; `right` names those that are. */
const question = (id: number, right: readonly string[]): PoolQuestion => {
  const systems = ['crowd1', 'crowd2', 'loner']
  return {
    id: `q${id}`,
    database: `d${id % 2}`,
    candidates: systems.map(source => ({ source, rank: 1, sql: 'select 1' })),
    candidateVotes: systems.map(lineage =>
      makeCandidateVote(`${lineage}/1`, right.includes(lineage) ? 'right' : 'wrong', { lineage }),
    ),
    parserEvidence: [],
    labels: systems.map(lineage => ({ ex: right.includes(lineage), anyOrder: right.includes(lineage) })),
  }
}

const others = Array.from({ length: 40 }, (_, id) => question(id, ['loner']))

describe('the selectors of SSEV', () => {
  const [one] = others

  it('begin with equal experts, and learn from other questions whom to follow', () => {
    expect(makeSelector('wma', null)(one!.candidateVotes).candidateId).toBe('crowd1/1')
    expect(makeSelector('wma', others)(one!.candidateVotes).candidateId).toBe('loner/1')
  })

  it('draw the same experts again', () => {
    const draws = () => {
      const select = makeSelector('rwma', others.slice(0, 4))
      return others.map(({ candidateVotes }) => select(candidateVotes).candidateId)
    }
    expect(draws()).toEqual(draws())
    expect(new Set(draws()).size).toBeGreaterThan(1)
  })

  it('report the mistakes made while learning', () => {
    const regret = regretOf(runExpertsOnPool(others))
    expect(regret.best).toEqual({ expert: 'loner', mistakes: 0 })
    const pool = { questions: 40, oracle: 1, oracleAnyOrder: 1, selectors: {}, regret }
    expect(renderSelection({ folds: 'by-database', pools: { three: pool } })).toContain(
      [
        'The best of 3 experts (loner) makes 0:',
        `  wma   ${regret.wma.mistakes}, regret +${regret.wma.mistakes}, at most`,
      ].join('\n'),
    )
  })
})
