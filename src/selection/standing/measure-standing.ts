import type { VoteTally } from '../../core/standing.ts'

/** Names of the measures, in their order. A trained file that names others was made by another version. */
export const tallyMeasureNames = [
  'score',
  'margin',
  'share',
  'lead',
  'logVotes',
  'lineages',
  'groupsPerBallot',
  'empty',
  'absentLiteral',
  'inversion',
  'logBallots',
  'failedShare',
  'twoLineages',
  'marginTimesLogBallots',
  'prior',
  'otherPrior',
] as const

/** A standing as numbers, for models of it. Null while no candidate has run: then there is nothing to judge. */
export const measureTally = (standing: VoteTally): readonly number[] | null => {
  const [leader, second] = standing.groups
  if (leader === undefined) return null
  const margin = leader.score - (second?.score ?? 0)
  const logBallots = Math.log(standing.votes)
  return [
    leader.score,
    margin,
    leader.votes / standing.votes,
    leader.votes - (second?.votes ?? 0),
    Math.log1p(leader.votes),
    leader.lineages,
    standing.groups.length / standing.votes,
    Number(leader.isEmpty),
    Number(leader.hasAbsentLiteral),
    Number(leader.hasInversion),
    logBallots,
    standing.failed / standing.votes,
    Number(leader.lineages >= 2),
    margin * logBallots,
    leader.prior,
    standing.otherPrior,
  ]
}
