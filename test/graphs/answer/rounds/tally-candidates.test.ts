import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tallyCandidates } from '../../../../graphs/answer/rounds/tally.ts'
import type { Candidate, DraftPath } from '../../../../src/domain/candidate.ts'
import type {
  CandidateVote,
  FeedbackShift,
  IndependentEvidence,
} from '../../../../src/domain/selection/ranking.ts'
import { measureGroups } from '../../../../src/ranking/features/measure-groups.ts'
import { makeRankGroups } from '../../../../src/ranking/selector/rank-groups.ts'
import { makeCandidate, ranWith } from '../../../helpers/make-candidate.ts'
import { selectionParts } from '../../../helpers/selection-parts.ts'
import { makeSelectorModel } from '../../../ranking/selector/make-measured.ts'

const noDraft: DraftPath['draft'] = async () => {
  throw new Error('nothing is drafted here')
}

const paths: readonly DraftPath[] = [
  { name: 'semantic-parser', cost: 'free', samples: 1, draft: noDraft },
  { name: 'query-plan', cost: 'model', samples: 7, draft: noDraft },
]

/** What a model wrote, by its result; null did not run. */
const draft = (at: number, result: string | null): Candidate =>
  makeCandidate({
    id: `0/01/query-plan/${at}`,
    path: 'query-plan',
    lineage: 'query-plan/m',
    run:
      result === null
        ? { status: 'failed', errorClass: 'syntax', message: 'incomplete input' }
        : ranWith(result),
  })

/** What the semantic parser read, with the odds that it gives. */
const reading = (at: number, result: string, prior: number): Candidate =>
  makeCandidate({ id: `0/00/semantic-parser/${at}`, rank: at, prior, run: ranWith(result) })

const drafts = (...results: readonly (string | null)[]): readonly Candidate[] =>
  results.map((result, at) => draft(at, result))

const selectorOf = (weights: Readonly<Record<string, number>>, calibration = [0]) => ({
  measure: measureGroups,
  rank: makeRankGroups(makeSelectorModel(weights, calibration)),
})

const stock = (
  candidates: readonly Candidate[],
  selector: (ReturnType<typeof selectorOf> & { readonly shift?: FeedbackShift }) | null = selectorOf({
    'vote-share': 2,
    parser: 5,
  }),
) => tallyCandidates(candidates, { ...selectionParts, paths, selector })

const sumOf = (groups: readonly { readonly score: number }[]): number =>
  groups.reduce((sum, { score }) => sum + score, 0)

describe('taking stock with a selector', () => {
  it('puts the result in front that the selector ranks first, with its probability and reasons', () => {
    const { groups, measured } = stock([...drafts('A', 'A', 'B'), reading(0, 'B', 0.6)])
    expect(groups.map(({ key }) => key)).toEqual(['B', 'A'])
    expect(groups[0]).toMatchObject({
      score: 0.5,
      // The reading agrees, and stands beside the draft whose SQL is shown.
      candidateIds: ['0/00/semantic-parser/0', '0/01/query-plan/2'],
      representativeId: '0/01/query-plan/2',
      reasons: ['the interpretation without a model gives the same result', expect.any(String)],
    })
    expect(measured?.map(({ key }) => key)).toEqual(['A', 'B'])
  })

  it('leaves the vote as it stands, for when to stop', () => {
    const candidates = [...drafts('A', 'A', 'B', null), reading(0, 'B', 0.6)]
    expect(stock(candidates).tally).toEqual(stock(candidates, null).tally)
  })

  it('hears what free paths read as parserEvidence, and counts no vote of theirs', () => {
    const asked: {
      candidateVotes: readonly CandidateVote[]
      parserEvidence: readonly IndependentEvidence[]
    }[] = []
    const { rank } = selectorOf({})
    const measure: typeof measureGroups = (candidateVotes, parserEvidence = []) => {
      asked.push({ candidateVotes, parserEvidence })
      return measureGroups(candidateVotes, parserEvidence)
    }
    stock([...drafts('A', null), reading(0, 'B', 0.6), reading(1, 'C', 0.2)], { measure, rank })
    expect(asked).toHaveLength(1)
    // A candidate that did not run has a vote without a result.
    expect(asked[0]!.candidateVotes.map(({ run }) => run?.groupKey ?? null)).toEqual(['A', null])
    expect(asked[0]!.parserEvidence.map(({ groupKey, probability }) => [groupKey, probability])).toEqual([
      ['B', 0.6],
      ['C', expect.closeTo(0.2, 10)],
    ])
  })

  it('never lets a reading lead that no draft came to, however likely it says it is', () => {
    const { groups } = stock([...drafts('A'), reading(0, 'B', 0.99)], selectorOf({}, [-3]))
    expect(groups.map(({ key }) => key)).toEqual(['A', 'B'])
    expect(groups[1]!.score).toBeLessThanOrEqual(groups[0]!.score)
    expect(groups[1]!.score).toBeGreaterThan(0)
  })

  it('shares at most one among all results, best first', () => {
    const results = fc.array(fc.option(fc.constantFrom('A', 'B', 'C'), { nil: null }), { maxLength: 8 })
    const readings = fc.array(
      fc.record({
        result: fc.constantFrom('A', 'B', 'D', 'E'),
        prior: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { maxLength: 4 },
    )
    const weight = fc.double({ min: -5, max: 5, noNaN: true })
    fc.assert(
      fc.property(results, readings, weight, weight, weight, (own, read, votes, evidence, sure) => {
        const candidates = [
          ...drafts(...own),
          ...read.map(({ result, prior }, at) => reading(at, result, prior)),
        ]
        const selector = selectorOf({ 'vote-share': votes, parser: evidence }, [sure])
        const { groups, tally, measured } = stock(candidates, selector)
        expect(sumOf(groups)).toBeLessThanOrEqual(1 + 1e-9)
        expect(new Set(groups.map(({ key }) => key)).size).toBe(groups.length)
        if (tally.groups.length > 0) {
          expect(tally.groups.map(({ key }) => key)).toContain(groups[0]!.key)
          for (const { score } of groups) expect(score).toBeLessThanOrEqual(groups[0]!.score)
          expect(measured).not.toBeNull()
        }
        expect(groups.flatMap(({ candidateIds }) => candidateIds).sort()).toEqual(
          candidates
            .filter(({ run }) => run?.status === 'ran')
            .map(({ id }) => id)
            .sort(),
        )
      }),
    )
  })

  it('holds every statement against what people verified, also those of free paths alone', () => {
    const likeVerified = (sql: string): number => (sql === 'select of b' ? 0.9 : 0.2)
    const selector = { ...selectorOf({ 'verified-likeness': 3 }), likeVerified }
    const written = (candidate: Candidate, sql: string): Candidate => ({ ...candidate, sql })
    const like = (candidates: readonly Candidate[]) =>
      tallyCandidates(candidates, { ...selectionParts, paths, selector })
    const { groups, measured } = like([draft(0, 'A'), written(draft(1, 'B'), 'select of b')])
    expect(groups[0]?.key).toBe('B')
    expect(measured?.map(({ measures }) => measures['verified-likeness'])).toEqual([0.2, 0.9])
    const alone = like([written(reading(0, 'A', 0.4), 'select of b')])
    expect(alone.measured?.map(({ measures }) => measures['verified-likeness'])).toEqual([0.9])
  })

  it('only shifts what free paths say where no model has said anything that runs', () => {
    const alone = [...drafts(null), reading(1, 'B', 0.3), reading(0, 'A', 0.4)]
    const { groups, measured } = stock(alone)
    // As a list in the order of its ranks, and no evidence for itself.
    expect(measured?.map(({ key, measures }) => [key, measures['rank-first'] ?? 0])).toEqual([
      ['A', 1],
      ['B', 0],
    ])
    expect(measured?.flatMap(({ measures }) => Object.keys(measures))).not.toContain('parser')
    expect(groups).toEqual(selectionParts.groupCandidates(alone))
    const shift = ({ key }: { readonly key: string }): number => (key === 'B' ? 1 : 0)
    expect(stock(alone, { ...selectorOf({}), shift }).groups.map(({ key }) => key)).toEqual(['B', 'A'])
    expect(stock([]).groups).toEqual([])
  })
})

describe('taking stock without a selector', () => {
  it('goes by the vote and what the evidence takes off', () => {
    const { groups, measured } = stock(
      [...drafts('A', 'A', 'B'), reading(0, 'B', 0.6), reading(1, 'C', 0.2)],
      null,
    )
    expect(measured).toBeNull()
    expect(groups[0]).toMatchObject({
      key: 'A',
      score: selectionParts.rateTally(
        stock([...drafts('A', 'A', 'B'), reading(0, 'B', 0.6), reading(1, 'C', 0.2)], null).tally,
      ),
    })
    expect(groups.map(({ key }) => key).sort()).toEqual(['A', 'B', 'C'])
    expect(groups.every(group => !('reasons' in group))).toBe(true)
    expect(sumOf(groups)).toBeCloseTo(1, 10)
  })
})
