import type { StatementPartKind } from '../../domain/candidate.ts'
import type { IndependentEvidence } from '../../domain/ranking.ts'
import { partKinds } from './agreement-measures.ts'
import { type GatheredGroup, type Gathering, type GroupMeasure, meanOf } from './gather-groups.ts'

/** Below this a probability says nothing more. */
const LEAST = 0.02

const probabilityOf = (key: string, witnesses: readonly IndependentEvidence[]): number =>
  witnesses.reduce((sum, { groupKey, probability }) => sum + (groupKey === key ? probability : 0), 0)

const bestOther = (key: string, witnesses: readonly IndependentEvidence[]): number =>
  Math.max(
    0,
    ...[...new Set(witnesses.map(({ groupKey }) => groupKey))]
      .filter(other => other !== key)
      .map(other => probabilityOf(other, witnesses)),
  )

/** How much witnesses say that each part belongs to the query, by their probability. */
const weights = (gathering: Gathering, kind: StatementPartKind): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const { observation, probability } of gathering.witnesses)
    for (const hash of observation?.parts[kind] ?? []) sums.set(hash, (sums.get(hash) ?? 0) + probability)
  return sums
}

const total = ({ witnesses }: Gathering): number =>
  witnesses.reduce((sum, { probability }) => sum + probability, 0)

/** Of what the group's queries have, how much the witnesses have too. */
const precision = (group: GatheredGroup, gathering: Gathering, kind: StatementPartKind): number => {
  const said = weights(gathering, kind)
  const all = total(gathering)
  if (all === 0) return 0
  return meanOf(
    group.observations.map(({ parts }) => meanOf(parts[kind].map(hash => (said.get(hash) ?? 0) / all))),
  )
}

/** Of what the witnesses have, how much the group's queries have too. */
const recall = (group: GatheredGroup, gathering: Gathering, kind: StatementPartKind): number => {
  const said = weights(gathering, kind)
  const all = [...said.values()].reduce((sum, one) => sum + one, 0)
  if (all === 0) return 0
  return meanOf(
    group.observations.map(
      ({ parts }) => parts[kind].reduce((sum, hash) => sum + (said.get(hash) ?? 0), 0) / all,
    ),
  )
}

const words: Readonly<Record<(typeof partKinds)[number], string>> = {
  table: 'the same tables',
  column: 'the same columns',
  clause: 'the same form',
  literal: 'the same values',
}

/** What the semantic parser reads in the question: a witness that shares no model with the candidates. */
export const parserMeasures: readonly GroupMeasure[] = [
  {
    name: 'witness',
    reason: 'reading the question without a model gives the same result',
    measure: ({ key }, { witnesses }) => probabilityOf(key, witnesses),
  },
  {
    name: 'witness-log',
    reason: 'reading the question without a model gives the same result',
    measure: ({ key }, { witnesses }) => Math.log(LEAST + probabilityOf(key, witnesses)) - Math.log(LEAST),
  },
  {
    name: 'witness-leads',
    reason: 'the first reading of the question without a model gives the same result',
    measure: ({ key }, { witnesses }) =>
      Number(probabilityOf(key, witnesses) > 0 && probabilityOf(key, witnesses) >= bestOther(key, witnesses)),
  },
  {
    name: 'witness-any',
    reason: 'one of the readings of the question without a model gives the same result',
    measure: ({ key }, { witnesses }) => Number(witnesses.some(({ groupKey }) => groupKey === key)),
  },
  {
    name: 'witness-margin',
    reason: 'reading the question without a model prefers it clearly',
    measure: ({ key }, { witnesses }) => probabilityOf(key, witnesses) - bestOther(key, witnesses),
  },
  ...partKinds.flatMap((kind): GroupMeasure[] => [
    {
      name: `witness-${kind}-precision`,
      reason: `readings of the question without a model have ${words[kind]}`,
      measure: (group, gathering) => precision(group, gathering, kind),
    },
    {
      name: `witness-${kind}-recall`,
      reason: `it has ${words[kind]} as readings of the question without a model`,
      measure: (group, gathering) => recall(group, gathering, kind),
    },
  ]),
]
