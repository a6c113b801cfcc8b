import type { StatementPartKind } from '../../domain/candidate.ts'
import type { IndependentEvidence } from '../../domain/selection/ranking.ts'
import { partKinds } from './agreement-measures.ts'
import { type GatheredGroup, type Gathering, type GroupMeasure, meanOf } from './gather-groups.ts'

/** Below this a probability says nothing more. */
const LEAST = 0.02

const probabilityOf = (key: string, parserEvidence: readonly IndependentEvidence[]): number =>
  parserEvidence.reduce((sum, { groupKey, probability }) => sum + (groupKey === key ? probability : 0), 0)

const bestOther = (key: string, parserEvidence: readonly IndependentEvidence[]): number =>
  Math.max(
    0,
    ...[...new Set(parserEvidence.map(({ groupKey }) => groupKey))]
      .filter(other => other !== key)
      .map(other => probabilityOf(other, parserEvidence)),
  )

/** How much the parser's interpretations say that each part belongs to the query, by their probability. */
const weights = (gathering: Gathering, kind: StatementPartKind): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  for (const { observation, probability } of gathering.parserEvidence)
    for (const hash of observation?.parts[kind] ?? []) sums.set(hash, (sums.get(hash) ?? 0) + probability)
  return sums
}

const total = ({ parserEvidence }: Gathering): number =>
  parserEvidence.reduce((sum, { probability }) => sum + probability, 0)

/** Of what the group's queries have, how much the parser's interpretations have too. */
const precision = (group: GatheredGroup, gathering: Gathering, kind: StatementPartKind): number => {
  const said = weights(gathering, kind)
  const all = total(gathering)
  if (all === 0) return 0
  return meanOf(
    group.observations.map(({ parts }) => meanOf(parts[kind].map(hash => (said.get(hash) ?? 0) / all))),
  )
}

/** Of what the parser's interpretations have, how much the group's queries have too. */
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

/** What the parser takes the question to mean: evidence that shares no model with the candidates. */
export const parserMeasures: readonly GroupMeasure[] = [
  {
    name: 'parser',
    reason: 'the interpretation without a model gives the same result',
    measure: ({ key }, { parserEvidence }) => probabilityOf(key, parserEvidence),
  },
  {
    name: 'parser-log',
    reason: 'the interpretation without a model gives the same result',
    measure: ({ key }, { parserEvidence }) =>
      Math.log(LEAST + probabilityOf(key, parserEvidence)) - Math.log(LEAST),
  },
  {
    name: 'parser-leads',
    reason: 'the first interpretation without a model gives the same result',
    measure: ({ key }, { parserEvidence }) =>
      Number(
        probabilityOf(key, parserEvidence) > 0 &&
          probabilityOf(key, parserEvidence) >= bestOther(key, parserEvidence),
      ),
  },
  {
    name: 'parser-any',
    reason: 'one of the interpretations without a model gives the same result',
    measure: ({ key }, { parserEvidence }) => Number(parserEvidence.some(({ groupKey }) => groupKey === key)),
  },
  {
    name: 'parser-margin',
    reason: 'the interpretation without a model clearly prefers it',
    measure: ({ key }, { parserEvidence }) =>
      probabilityOf(key, parserEvidence) - bestOther(key, parserEvidence),
  },
  ...partKinds.flatMap((kind): GroupMeasure[] => [
    {
      name: `parser-${kind}-precision`,
      reason: `interpretations without a model have ${words[kind]}`,
      measure: (group, gathering) => precision(group, gathering, kind),
    },
    {
      name: `parser-${kind}-recall`,
      reason: `it has ${words[kind]} as interpretations without a model`,
      measure: (group, gathering) => recall(group, gathering, kind),
    },
  ]),
]
