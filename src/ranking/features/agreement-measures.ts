import type { CandidateObservation, StatementPartKind } from '../../domain/candidate.ts'
import { oncePerObject } from '../../lib/once.ts'
import { type GatheredGroup, type Gathering, type GroupMeasure, meanOf } from './gather-groups.ts'
import { shareOf } from './vote-measures.ts'

export const partKinds = [
  'table',
  'column',
  'clause',
  'literal',
] as const satisfies readonly StatementPartKind[]

const words: Readonly<Record<(typeof partKinds)[number], string>> = {
  table: 'the tables that it reads',
  column: 'the columns that it reads',
  clause: 'the form of its query',
  literal: 'the values that it compares with',
}

/** How often each part recurs among all candidates that ran, 0 to 1. Counted once for a question. */
const partShares = oncePerObject((gathering: Gathering): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  let all = 0
  for (const { observations } of gathering.groups)
    for (const { parts } of observations) {
      all += 1
      for (const [kind, hashes] of Object.entries(parts))
        for (const hash of hashes) counts.set(`${kind} ${hash}`, (counts.get(`${kind} ${hash}`) ?? 0) + 1)
    }
  return new Map([...counts].map(([part, count]) => [part, count / all]))
})

const sharesIn = (
  { parts }: CandidateObservation,
  kind: StatementPartKind,
  gathering: Gathering,
): readonly number[] => parts[kind].map(hash => partShares(gathering).get(`${kind} ${hash}`) ?? 0)

const overlap = (a: readonly string[], b: readonly string[]): number => {
  if (a.length === 0 && b.length === 0) return 1
  const other = new Set(b)
  const both = a.filter(one => other.has(one)).length
  return both / (a.length + b.length - both)
}

/** Likeness to the results of the other groups, each weighted by its votes (minimum Bayes risk). */
const likeness = (
  group: GatheredGroup,
  gathering: Gathering,
  part: keyof CandidateObservation['sketch'],
): number => {
  const own = group.observations[0]
  if (own === undefined) return 0
  return gathering.groups.reduce((sum, other) => {
    const [theirs] = other.observations
    return other === group || theirs === undefined
      ? sum
      : sum + shareOf(other, gathering) * overlap(own.sketch[part], theirs.sketch[part])
  }, 0)
}

/** A part that more than so many have is one that a candidate should have. */
const USUAL = 0.5

const missing = (observation: CandidateObservation, gathering: Gathering): number => {
  const own = new Set(
    Object.entries(observation.parts).flatMap(([kind, hashes]) => hashes.map(hash => `${kind} ${hash}`)),
  )
  let sum = 0
  for (const [part, share] of partShares(gathering))
    if (share > USUAL && !own.has(part) && !part.startsWith('skeleton') && !part.startsWith('literal'))
      sum += share
  return sum
}

/** How much the parts and the result of a group recur in others, though their results are not equal. */
export const agreementMeasures: readonly GroupMeasure[] = [
  ...partKinds.flatMap((kind): GroupMeasure[] => [
    {
      name: `agree-${kind}-mean`,
      reason: `others share ${words[kind]}`,
      measure: ({ observations }, gathering) =>
        meanOf(observations.map(one => meanOf(sharesIn(one, kind, gathering)))),
    },
    {
      name: `agree-${kind}-least`,
      reason: `others share ${words[kind]}, all of them`,
      measure: ({ observations }, gathering) =>
        meanOf(observations.map(one => Math.min(1, ...sharesIn(one, kind, gathering)))),
    },
  ]),
  {
    name: 'agree-skeleton',
    reason: 'others are built the same way',
    measure: ({ observations }, gathering) =>
      Math.max(0, ...observations.flatMap(one => sharesIn(one, 'skeleton', gathering))),
  },
  {
    name: 'agree-missing',
    reason: 'it lacks what most others have',
    measure: ({ observations }, gathering) =>
      observations.length === 0 ? 0 : Math.min(...observations.map(one => missing(one, gathering))),
  },
  {
    name: 'alike-columns',
    reason: 'other results have the same columns',
    measure: (group, gathering) => likeness(group, gathering, 'columns'),
  },
  {
    name: 'alike-rows',
    reason: 'other results have the same rows',
    measure: (group, gathering) => likeness(group, gathering, 'rows'),
  },
  {
    name: 'alike-cells',
    reason: 'other results have the same values',
    measure: (group, gathering) => likeness(group, gathering, 'cells'),
  },
]
