import { describe, expect, it } from 'vitest'
import type { CandidateVote, IndependentEvidence } from '../../../src/domain/selection/ranking.ts'
import { gatherGroups } from '../../../src/ranking/features/gather-groups.ts'
import { groupMeasures } from '../../../src/ranking/features/measure-groups.ts'
import { makeCandidateVote } from '../make-candidate-vote.ts'
import { makeObservation, makeObservedVote, type Seen } from './make-observation.ts'

interface Case {
  readonly candidateVotes: readonly CandidateVote[]
  readonly parserEvidence?: readonly IndependentEvidence[]
  /** Likeness to verified queries, by the index of the vote. */
  readonly verified?: Readonly<Record<string, number>>
}

/** Results in the order of their drafts, of one lineage or of the ones that are named: `A@x` is A by lineage x. */
const votes = (...results: readonly string[]): readonly CandidateVote[] =>
  results.map((written, at) => {
    const [result, lineage = 'a'] = written.split('@')
    return makeCandidateVote(`${at}`, result === '-' ? null : result!, { lineage })
  })

/** The same as a ranked list: statements that are all different. */
const beam = (...results: readonly string[]): readonly CandidateVote[] =>
  results.map((written, at) => {
    const [result, lineage = 'a'] = written.split('@')
    return makeObservedVote(`${at}`, result!, { lineage, parts: { skeleton: [`statement ${at}`] } })
  })

/** One vote per result, with what was observed of it. */
const seen = (...candidateVotes: readonly (readonly [string, Seen])[]): readonly CandidateVote[] =>
  candidateVotes.map(([result, one], at) => makeObservedVote(`${at}`, result, one))

const evidence = (groupKey: string, probability: number, one: Seen | null = null): IndependentEvidence => ({
  groupKey,
  probability,
  observation: one === null ? null : makeObservation(one),
})

const parts = (kind: 'table' | 'column' | 'clause' | 'literal' | 'skeleton', ...names: string[]): Seen => ({
  parts: { [kind]: names },
})

/** How a kind of part recurs: A shares t with C and has u alone; B has nothing that anybody shares. */
const recurring = (kind: 'table' | 'column' | 'clause' | 'literal'): Cases => ({
  [`agree-${kind}-mean`]: {
    // t is in two of three statements, u in one.
    speaks: [['A', (2 / 3 + 1 / 3) / 2, threeOf(kind)]],
    silent: [['B', { candidateVotes: seen(['A', parts(kind, 't')], ['B', {}]) }]],
  },
  [`agree-${kind}-least`]: {
    speaks: [
      ['A', 1 / 3, threeOf(kind)],
      ['C', 2 / 3, threeOf(kind)],
    ],
    silent: [['A', { candidateVotes: votes('A', 'B') }]],
  },
  // The evidence has t with .6 and v with .2 of .8 in all.
  [`parser-${kind}-precision`]: {
    speaks: [['A', 0.75 / 2, { ...threeOf(kind), parserEvidence: twoWitnesses(kind) }]],
    silent: [
      ['B', { ...threeOf(kind), parserEvidence: twoWitnesses(kind) }],
      ['A', threeOf(kind)],
    ],
  },
  [`parser-${kind}-recall`]: {
    speaks: [['A', 0.75, { ...threeOf(kind), parserEvidence: twoWitnesses(kind) }]],
    silent: [
      ['B', { ...threeOf(kind), parserEvidence: twoWitnesses(kind) }],
      ['A', threeOf(kind)],
    ],
  },
})

const threeOf = (kind: 'table' | 'column' | 'clause' | 'literal'): Case => ({
  candidateVotes: seen(['A', parts(kind, 't', 'u')], ['B', parts(kind, 'w')], ['C', parts(kind, 't')]),
})

const twoWitnesses = (kind: 'table' | 'column' | 'clause' | 'literal'): readonly IndependentEvidence[] => [
  evidence('A', 0.6, parts(kind, 't')),
  evidence('D', 0.2, parts(kind, 'v')),
]

type Speaks = readonly (readonly [group: string, value: number, one: Case])[]

type Silent = readonly (readonly [group: string, one: Case])[]

type Cases = Readonly<Record<string, { readonly speaks: Speaks; readonly silent: Silent }>>

const sketched = (a: Seen['sketch'], b: Seen['sketch']): Case => ({
  candidateVotes: seen(['A', { sketch: a ?? {} }], ['B', { sketch: b ?? {} }]),
})

/** For every measure what it is of a group where it speaks, and a group of which it has nothing to say. */
const cases: Cases = {
  'vote-share': {
    speaks: [['A', 2 / 4, { candidateVotes: votes('A', 'A', 'B', '-') }]],
    // Nobody who is there has no vote; the least is one of many.
    silent: [],
  },
  'vote-log-share': {
    speaks: [['A', Math.log(1 / 2), { candidateVotes: votes('A', '-') }]],
    silent: [['A', { candidateVotes: votes('A', 'A') }]],
  },
  'vote-lineages': {
    speaks: [['A', 2 / 3, { candidateVotes: votes('A@x', 'A@y', 'B@z', 'A@x') }]],
    silent: [],
  },
  'vote-log-lineages': {
    speaks: [['B', Math.log(1 / 2), { candidateVotes: votes('A@x', 'A@y', 'B@y') }]],
    silent: [['A', { candidateVotes: votes('A@x', 'A@y', 'B@y') }]],
  },
  'vote-weighted': {
    speaks: [
      ['A', 3 / 4, { candidateVotes: votes('A', 'B', 'A', 'A') }],
      // Places of a beam weigh 1, 1/2 and 1/3.
      ['B', 1 / 2 / (1 + 1 / 2 + 1 / 3), { candidateVotes: beam('A', 'B', 'A') }],
    ],
    silent: [],
  },
  'vote-leads': {
    speaks: [
      ['A', 1, { candidateVotes: votes('A', 'A', 'B') }],
      ['B', 1, { candidateVotes: votes('A', 'B') }],
    ],
    silent: [['B', { candidateVotes: votes('A', 'A', 'B') }]],
  },
  'vote-margin': {
    speaks: [
      ['A', 1 / 3, { candidateVotes: votes('A', 'A', 'B') }],
      ['B', -1 / 3, { candidateVotes: votes('A', 'A', 'B') }],
    ],
    silent: [['A', { candidateVotes: votes('A', 'B') }]],
  },
  'rank-first': {
    speaks: [['A', 1 / 2, { candidateVotes: votes('A@x', 'B@y', 'A@y') }]],
    silent: [['B', { candidateVotes: votes('A@x', 'B@x') }]],
  },
  'rank-best': {
    speaks: [
      ['C', 1, { candidateVotes: votes('A', 'B', 'C') }],
      ['B', 1 / 2, { candidateVotes: votes('A', 'B', 'C') }],
    ],
    silent: [
      ['A', { candidateVotes: votes('A', 'B', 'C') }],
      ['A', { candidateVotes: votes('A') }],
    ],
  },
  'rank-first-beam': {
    speaks: [['A', 1, { candidateVotes: beam('A', 'B', 'C') }]],
    silent: [
      ['B', { candidateVotes: beam('A', 'B', 'C') }],
      // Too short for a list, and samples that say nothing of their statements.
      ['A', { candidateVotes: beam('A', 'B') }],
      ['A', { candidateVotes: votes('A', 'B', 'C') }],
    ],
  },
  'rank-best-beam': {
    speaks: [['B', 1 / 2, { candidateVotes: beam('A', 'B', 'C') }]],
    silent: [
      ['A', { candidateVotes: beam('A', 'B', 'C') }],
      ['B', { candidateVotes: votes('A', 'B', 'C') }],
    ],
  },
  'vote-log-share-beam': {
    speaks: [['A', Math.log(1 / 3), { candidateVotes: beam('A', 'B', 'C') }]],
    silent: [['A', { candidateVotes: votes('A', 'B', 'C') }]],
  },
  'rank-very-first': {
    speaks: [['A', 1, { candidateVotes: votes('A@x', 'B@y') }]],
    silent: [
      ['B', { candidateVotes: votes('A@x', 'B@y') }],
      // The first draft did not run.
      ['A', { candidateVotes: votes('-', 'A') }],
    ],
  },
  ...recurring('table'),
  ...recurring('column'),
  ...recurring('clause'),
  ...recurring('literal'),
  'agree-skeleton': {
    speaks: [
      [
        'A',
        2 / 3,
        {
          candidateVotes: seen(
            ['A', parts('skeleton', 's')],
            ['B', parts('skeleton', 's')],
            ['C', parts('skeleton', 'r')],
          ),
        },
      ],
    ],
    silent: [['A', { candidateVotes: votes('A', 'B') }]],
  },
  'agree-missing': {
    // Two of three read t, which B does not; what half have is not what most have.
    speaks: [['B', 2 / 3, threeOf('table')]],
    silent: [
      ['A', threeOf('table')],
      // Values and whole skeletons are a statement's own business.
      ['B', threeOf('literal')],
      ['A', { candidateVotes: votes('A', 'B') }],
    ],
  },
  'alike-columns': {
    speaks: [['A', (1 / 2) * (1 / 3), sketched({ columns: ['n', 'm'] }, { columns: ['n', 'k'] })]],
    silent: [['A', sketched({ columns: ['n'] }, { columns: ['k'] })]],
  },
  'alike-rows': {
    speaks: [
      ['A', 1 / 4, sketched({ rows: ['1', '2'] }, { rows: ['2'] })],
      // Nothing is the same as nothing.
      ['A', 1 / 2, sketched({}, {})],
    ],
    silent: [['A', sketched({ rows: ['1'] }, { rows: ['2'] })]],
  },
  'alike-cells': {
    speaks: [['B', 1 / 2, sketched({ cells: ['1'] }, { cells: ['1'] })]],
    silent: [['B', sketched({ cells: ['1'] }, { cells: ['2'] })]],
  },
  parser: {
    speaks: [
      ['A', 0.7, { candidateVotes: votes('A'), parserEvidence: [evidence('A', 0.5), evidence('A', 0.2)] }],
    ],
    silent: [['A', { candidateVotes: votes('A'), parserEvidence: [evidence('B', 0.5)] }]],
  },
  'parser-log': {
    speaks: [
      ['A', Math.log(0.52 / 0.02), { candidateVotes: votes('A'), parserEvidence: [evidence('A', 0.5)] }],
    ],
    silent: [['A', { candidateVotes: votes('A'), parserEvidence: [evidence('B', 0.5)] }]],
  },
  'parser-leads': {
    speaks: [
      ['A', 1, { candidateVotes: votes('A', 'B'), parserEvidence: [evidence('B', 0.3), evidence('A', 0.4)] }],
    ],
    silent: [
      ['B', { candidateVotes: votes('A', 'B'), parserEvidence: [evidence('B', 0.3), evidence('A', 0.4)] }],
      ['A', { candidateVotes: votes('A') }],
    ],
  },
  'parser-any': {
    speaks: [['B', 1, { candidateVotes: votes('A', 'B'), parserEvidence: [evidence('B', 0.01)] }]],
    silent: [['A', { candidateVotes: votes('A', 'B'), parserEvidence: [evidence('B', 0.01)] }]],
  },
  'parser-margin': {
    speaks: [
      [
        'A',
        0.5,
        { candidateVotes: votes('A', 'B'), parserEvidence: [evidence('A', 0.6), evidence('B', 0.1)] },
      ],
      [
        'B',
        -0.5,
        { candidateVotes: votes('A', 'B'), parserEvidence: [evidence('A', 0.6), evidence('B', 0.1)] },
      ],
      // Also over what no candidate came to.
      ['A', -0.2, { candidateVotes: votes('A'), parserEvidence: [evidence('C', 0.2)] }],
    ],
    silent: [['A', { candidateVotes: votes('A') }]],
  },
  'verified-likeness': {
    // The most alike of its statements counts.
    speaks: [['A', 0.8, { candidateVotes: votes('A', 'B', 'A'), verified: { 0: 0.3, 1: 0.9, 2: 0.8 } }]],
    silent: [['A', { candidateVotes: votes('A', 'B'), verified: { 1: 0.9 } }]],
  },
}

/** Shares of those who are there are never zero. */
const neverSilent = ['vote-share', 'vote-lineages', 'vote-weighted']

describe('what is measured of a group beside the others', () => {
  it.each(groupMeasures.map(({ name, measure }) => [name, measure] as const))('%s', (name, measure) => {
    const { speaks, silent } = cases[name] ?? { speaks: [], silent: [] }
    expect(speaks.length).toBeGreaterThan(0)
    expect(silent.length > 0).toBe(!neverSilent.includes(name))
    const of = (key: string, { candidateVotes, parserEvidence = [], verified = {} }: Case): number => {
      const gathering = gatherGroups(candidateVotes, parserEvidence, new Map(Object.entries(verified)))
      return measure(gathering.groups.find(group => group.key === key)!, gathering)
    }
    for (const [key, value, one] of speaks) expect(of(key, one), key).toBeCloseTo(value, 10)
    for (const [key, one] of silent) expect(of(key, one), key).toBeCloseTo(0, 12)
  })

  it('has names of its own, and all are tried here', () => {
    const names = groupMeasures.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(Object.keys(cases).sort()).toEqual([...names].sort())
  })
})
