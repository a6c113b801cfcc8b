import type { MeasuredGroup, MeasureGroups } from '../../../core/selector.ts'
import { chooseMember } from '../../expectation/choose-member.ts'
import { agreementMeasures } from './agreement-measures.ts'
import { containmentMeasures } from './containment-measures.ts'
import { type GatheredGroup, gatherGroups } from './gather-groups.ts'
import { meanOf } from './mean-of.ts'
import { verifiedMeasures } from './verified-measures.ts'
import { voteMeasures } from './vote-measures.ts'
import { parserMeasures } from './witness-measures.ts'

/** Everything that is measured of a group beside the others of its question. */
export const groupMeasures = [
  ...voteMeasures,
  ...agreementMeasures,
  ...containmentMeasures,
  ...parserMeasures,
  ...verifiedMeasures,
]

/** Measures all groups of a question: who agrees, what recurs, what witnesses and verified queries say, and its members' own measures. */
export const measureGroups: MeasureGroups = (ballots, witnesses = [], verifiedLikeness = new Map()) => {
  const gathering = gatherGroups(ballots, witnesses, verifiedLikeness)
  return gathering.groups.map((group): MeasuredGroup => {
    const measured = [
      ...groupMeasures.map(({ name, measure }) => [name, measure(group, gathering)] as const),
      ...ownMeasures(group),
    ]
    return {
      key: group.key,
      candidateIds: group.members.map(({ candidateId }) => candidateId),
      representativeId: representativeOf(group),
      measures: Object.fromEntries(measured.filter(([, value]) => value !== 0)),
    }
  })
}

/** The mean over the members: they share a result, not a statement. */
const ownMeasures = ({ members, observations }: GatheredGroup): readonly (readonly [string, number])[] => {
  const names = new Set(observations.flatMap(({ measures }) => Object.keys(measures)))
  return [
    ['literal-absent', meanOf(members.map(({ run }) => Number(run.evidence.absentLiterals > 0)))],
    ['order-inverted', Number(Math.min(...members.map(({ run }) => run.evidence.columnInversions)) > 0)],
    ...[...names].map(
      name => [name, meanOf(observations.map(({ measures }) => measures[name] ?? 0))] as const,
    ),
  ]
}

const representativeOf = ({ members }: GatheredGroup): string => {
  const at = chooseMember(
    members.map(({ run }) => ({
      columnsKey: run.columnsKey,
      columnOrder: run.evidence.observation?.columnOrder ?? null,
    })),
  )
  return (members[at] ?? members[0])!.candidateId
}
