import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CandidateVote } from '../../../src/domain/selection/ranking.ts'
import { familyOf } from '../../../src/ranking/features/feature-reasons.ts'
import { measureGroups } from '../../../src/ranking/features/measure-groups.ts'
import { makeCandidateVote } from '../make-candidate-vote.ts'
import { makeObservation, makeObservedVote } from './make-observation.ts'

const word = fc.constantFrom('t', 'u', 'v', 'w')

const words = fc.uniqueArray(word, { maxLength: 3 })

/** One vote of a lineage: its result, or that it did not run, and what was observed of it. */
const drawn = fc.record({
  result: fc.option(fc.constantFrom('A', 'B', 'C'), { nil: null }),
  table: words,
  skeleton: words,
  rows: words,
  value: fc.integer({ min: -2, max: 2 }),
})

const lineages = fc.dictionary(
  fc.constantFrom('x', 'y', 'z'),
  fc.array(drawn, { minLength: 1, maxLength: 5 }),
  {
    minKeys: 1,
  },
)

type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never

const ballotsOf = (lineage: string, own: readonly Drawn[]): readonly CandidateVote[] =>
  own.map(({ result, table, skeleton, rows, value }, at) =>
    result === null
      ? makeCandidateVote(`${lineage}${at}`, null, { lineage })
      : makeObservedVote(`${lineage}${at}`, result, {
          lineage,
          parts: { table, skeleton },
          sketch: { rows },
          measures: value === 0 ? {} : { 'sql-nested': value },
        }),
  )

const inTurn = (lists: readonly (readonly CandidateVote[])[]): readonly CandidateVote[] =>
  Array.from({ length: Math.max(0, ...lists.map(list => list.length)) }, (_, at) =>
    lists.flatMap(list => list[at] ?? []),
  ).flat()

/** Taken from one group's first vote, or from the place of the group: these may change with the order of lineages. */
const ofPlace = /^(?:alike|holds|held|rank-very-first)/

const byKey = (groups: ReturnType<typeof measureGroups>) =>
  Object.fromEntries(
    groups.map(({ key, candidateIds, measures }) => [
      key,
      {
        candidateIds: [...candidateIds].sort(),
        measures: Object.entries(measures)
          .filter(([name]) => !ofPlace.test(name))
          .map(([name, value]) => `${name} ${value.toFixed(9).replace('-0.000000000', '0.000000000')}`)
          .filter(text => !text.endsWith(' 0.000000000'))
          .sort(),
      },
    ]),
  )

describe('measuring the groups of a question', () => {
  it('goes by the places within lineages, whichever lineage speaks first', () => {
    fc.assert(
      fc.property(lineages, drawnLineages => {
        const lists = Object.entries(drawnLineages).map(([lineage, own]) => ballotsOf(lineage, own))
        const one = measureGroups(inTurn(lists))
        const other = measureGroups(inTurn(lists.toReversed()))
        const after = measureGroups(lists.flat())
        expect(byKey(other)).toEqual(byKey(one))
        expect(byKey(after)).toEqual(byKey(one))
        expect(measureGroups(inTurn(lists))).toEqual(one)
      }),
    )
  })

  it('puts each candidate that ran into one group, and measures only what has a family', () => {
    fc.assert(
      fc.property(lineages, drawnLineages => {
        const candidateVotes = inTurn(
          Object.entries(drawnLineages).map(([lineage, own]) => ballotsOf(lineage, own)),
        )
        const groups = measureGroups(candidateVotes)
        expect(groups.flatMap(({ candidateIds }) => candidateIds).sort()).toEqual(
          candidateVotes
            .filter(({ run }) => run !== null)
            .map(({ candidateId }) => candidateId)
            .sort(),
        )
        for (const { candidateIds, representativeId, measures } of groups) {
          expect(candidateIds).toContain(representativeId)
          for (const [name, value] of Object.entries(measures)) {
            expect(familyOf(name), name).not.toBeNull()
            expect(Number.isFinite(value), name).toBe(true)
            expect(value).not.toBe(0)
          }
        }
      }),
    )
  })

  it('is nothing of nothing', () => {
    expect(measureGroups([])).toEqual([])
    expect(measureGroups([makeCandidateVote('1', null)])).toEqual([])
  })

  it("takes the mean of the members' own measures, and the evidence of old candidates without observations", () => {
    const [group] = measureGroups([
      makeObservedVote('1', 'A', { measures: { 'sql-nested': 2 } }),
      makeObservedVote('2', 'A', {}),
      makeCandidateVote('3', 'A', { evidence: { absentLiterals: 2 } }),
    ])
    expect(group?.measures).toMatchObject({ 'sql-nested': 1, 'literal-absent': 1 / 3 })
  })

  it('shows the member with the likeliest order of columns, where many do not have another', () => {
    const [group] = measureGroups([
      makeObservedVote('1', 'A', { columns: 'one way', columnOrder: -9 }),
      makeObservedVote('2', 'A', { columns: 'other way', columnOrder: 0 }),
    ])
    expect(group?.representativeId).toBe('2')
  })

  it('hears parserEvidence', () => {
    const candidateVotes = [makeCandidateVote('1', 'A'), makeCandidateVote('2', 'B')]
    const groups = measureGroups(candidateVotes, [
      { groupKey: 'B', probability: 0.4, observation: makeObservation({}) },
    ])
    expect(groups.map(({ measures }) => measures.parser)).toEqual([undefined, 0.4])
  })
})
