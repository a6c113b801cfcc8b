import type { CandidateVote, CountVotes, TallyGroup } from '../../core/standing.ts'

/** What the evidence takes off a group's share of the votes. Hand-set; the field's "untrained rule". */
const OFF_EMPTY = 0.35
const OFF_ABSENT_LITERAL = 0.35
const OFF_INVERSION = 0.15

/** What a path that knows its own odds adds to the share of its result. */
const FOR_PRIOR = 0.5

/** A result, and how likely a path that knows its own odds says it is. */
export type Priors = ReadonlyMap<string, number>

type Run = NonNullable<CandidateVote['run']>
type Ran = CandidateVote & { readonly run: Run }

/**
 * Counts the votes of the candidates so far. Results that differ in the order of columns alone are one group, which
 * keeps a right answer from losing to itself; among its members the representative is voted for by column order.
 */
export const countVotes: CountVotes = (ballots, priors: Priors = new Map()) => {
  const ran = ballots.filter((ballot): ballot is Ran => ballot.run !== null)
  const groups = [...Map.groupBy(ran, ({ run }) => run.groupKey)].map(([key, members]) =>
    toGroup(key, members, { ballots: ballots.length, prior: priors.get(key) ?? 0 }),
  )
  // A stable sort: among equals the group that came first stays first.
  groups.sort((a, b) => b.score - a.score)
  const leader = groups[0]?.key
  return {
    votes: ballots.length,
    failed: ballots.length - ran.length,
    lineages: new Set(ballots.map(({ lineage }) => lineage)).size,
    groups,
    otherPrior: Math.max(0, ...[...priors].filter(([key]) => key !== leader).map(([, prior]) => prior)),
  }
}

const toGroup = (
  key: string,
  members: readonly Ran[],
  { ballots, prior }: { readonly ballots: number; readonly prior: number },
): TallyGroup => {
  const isEmpty = members.every(({ run }) => run.evidence.isEmpty)
  const hasAbsentLiteral = members.every(({ run }) => run.evidence.absentLiterals > 0)
  const inversions = Math.min(...members.map(({ run }) => run.evidence.columnInversions))
  return {
    key,
    candidateIds: members.map(({ candidateId }) => candidateId),
    representativeId: representativeOf(members, ballots).candidateId,
    votes: members.length,
    lineages: new Set(members.map(({ lineage }) => lineage)).size,
    prior,
    isEmpty,
    hasAbsentLiteral,
    hasInversion: inversions > 0,
    score:
      members.length / ballots +
      FOR_PRIOR * prior -
      (isEmpty ? OFF_EMPTY : 0) -
      (hasAbsentLiteral ? OFF_ABSENT_LITERAL : 0) -
      OFF_INVERSION * inversions,
  }
}

/** The earliest of those whose column order most members share, less what its inversions take off. */
const representativeOf = (members: readonly Ran[], ballots: number): Ran => {
  const votes = new Map<string, number>()
  for (const { run } of members) votes.set(run.columnsKey, (votes.get(run.columnsKey) ?? 0) + 1)
  const rate = ({ run }: Ran): number =>
    (votes.get(run.columnsKey) ?? 0) / ballots - OFF_INVERSION * run.evidence.columnInversions
  return members.reduce((best, member) => (rate(member) > rate(best) ? member : best))
}
