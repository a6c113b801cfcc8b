import { describe, expect, it } from 'vitest'
import type { PoolQuestion } from '../../../src/evaluation/execute-pools.ts'
import {
  labelResultGroups,
  type PoolSources,
  sampleMixtures,
} from '../../../training/selector/training-data.ts'
import { makeCandidateVote } from '../../ranking/make-candidate-vote.ts'

/** What a source wrote for a question, by results; `turned` is right with its columns in another order. */
const question = (id: string, source: string, ...results: readonly string[]): PoolQuestion => ({
  id,
  database: 'new_harbour',
  candidates: results.map((_, rank) => ({ sql: `${source} ${rank}`, source, rank })),
  candidateVotes: results.map((result, rank) =>
    makeCandidateVote(`${source}/${rank}`, result, { lineage: source }),
  ),
  labels: results.map(result => ({ ex: result === 'right', anyOrder: result !== 'wrong' })),
  parserEvidence: [],
})

describe('labelling groups', () => {
  it('calls right what is right in any order of columns, under the family of the database', () => {
    const { right, groups, database, weight } = labelResultGroups(
      question('q', 'a', 'wrong', 'turned', 'right'),
      0.5,
    )
    expect(groups.map(({ key }) => key)).toEqual(['wrong', 'turned', 'right'])
    expect(right).toEqual(new Set(['turned', 'right']))
    expect([database, weight]).toEqual(['harbour', 0.5])
  })
})

describe('drawing mixtures', () => {
  const sources = (...names: readonly string[]): PoolSources =>
    new Map(names.map(name => [name, ['q1', 'q2'].map(id => question(id, name, 'right', 'wrong'))]))
  const samples = sources('s1', 's2', 's3')
  const systems = sources('a', 'b', 'c', 'd', 'e')
  const drawn = (seed: number) =>
    sampleMixtures(samples, systems, { seed }).map(({ id, candidates }) => [
      id,
      ...candidates.map(({ sql }) => sql),
    ])

  it('gives the same for the same seed, and something else for another', () => {
    expect(drawn(1)).toEqual(drawn(1))
    expect(drawn(2)).not.toEqual(drawn(1))
  })

  it('has every question in every kind of mixture, no source twice', () => {
    const mixtures = sampleMixtures(samples, systems, { seed: 3 })
    expect(mixtures).toHaveLength(2 * 3 * 3)
    for (const { candidates } of mixtures) {
      const written = candidates.map(({ sql }) => sql)
      expect(new Set(written).size).toBe(written.length)
    }
    const kinds = mixtures.map(({ candidates }) => {
      const from = new Set(candidates.map(({ source }) => source))
      return [[...samples.keys()], [...systems.keys()]].map(names => names.some(name => from.has(name)))
    })
    for (const kind of [
      [true, false],
      [false, true],
      [true, true],
    ])
      expect(kinds).toContainEqual(kind)
  })

  it('makes do with what sources there are', () => {
    expect(sampleMixtures(new Map(), new Map(), { seed: 1 })).toEqual([])
    const alone = sampleMixtures(samples, new Map(), { seed: 1 })
    expect(alone.every(({ candidates }) => candidates.length > 0)).toBe(true)
  })
})
