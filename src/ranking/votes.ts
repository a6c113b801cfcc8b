import { type Candidate, type ExecutionGroup, type GroupCandidates, isApproved } from '../domain/candidate.ts'
import type { CandidateVote, CountVotes, TallyGroup, VoteTally } from '../domain/selection/ranking.ts'

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
export const countVotes: CountVotes = (candidateVotes, priors: Priors = new Map()) => {
  const ran = candidateVotes.filter((candidateVote): candidateVote is Ran => candidateVote.run !== null)
  const groups = [...Map.groupBy(ran, ({ run }) => run.groupKey)].map(([key, members]) =>
    toGroup(key, members, { candidateVotes: candidateVotes.length, prior: priors.get(key) ?? 0 }),
  )
  // A stable sort: among equals the group that came first stays first.
  groups.sort((a, b) => b.score - a.score)
  const leader = groups[0]?.key
  return {
    votes: candidateVotes.length,
    failed: candidateVotes.length - ran.length,
    lineages: new Set(candidateVotes.map(({ lineage }) => lineage)).size,
    groups,
    otherPrior: Math.max(0, ...[...priors].filter(([key]) => key !== leader).map(([, prior]) => prior)),
  }
}

const toGroup = (
  key: string,
  members: readonly Ran[],
  { candidateVotes, prior }: { readonly candidateVotes: number; readonly prior: number },
): TallyGroup => {
  const isEmpty = members.every(({ run }) => run.evidence.isEmpty)
  const hasAbsentLiteral = members.every(({ run }) => run.evidence.absentLiterals > 0)
  const inversions = Math.min(...members.map(({ run }) => run.evidence.columnInversions))
  return {
    key,
    candidateIds: members.map(({ candidateId }) => candidateId),
    representativeId: representativeOf(members, candidateVotes).candidateId,
    votes: members.length,
    lineages: new Set(members.map(({ lineage }) => lineage)).size,
    prior,
    isEmpty,
    hasAbsentLiteral,
    hasInversion: inversions > 0,
    score:
      members.length / candidateVotes +
      FOR_PRIOR * prior -
      (isEmpty ? OFF_EMPTY : 0) -
      (hasAbsentLiteral ? OFF_ABSENT_LITERAL : 0) -
      OFF_INVERSION * inversions,
  }
}

/** The earliest of those whose column order most members share, less what its inversions take off. */
const representativeOf = (members: readonly Ran[], candidateVotes: number): Ran => {
  const votes = new Map<string, number>()
  for (const { run } of members) votes.set(run.columnsKey, (votes.get(run.columnsKey) ?? 0) + 1)
  const rate = ({ run }: Ran): number =>
    (votes.get(run.columnsKey) ?? 0) / candidateVotes - OFF_INVERSION * run.evidence.columnInversions
  return members.reduce((best, member) => (rate(member) > rate(best) ? member : best))
}

/** A result without rows is more often a wrong literal than a true "none"; measured on pools in facts of the field. */
const EMPTY_RESULT_FACTOR = 0.65

/**
 * Votes among execution groups with path priors. Within one lineage the candidates are rival readings, so their
 * priors add up; lineages are independent evidence, so they combine as noisy-or. When the scores of all groups
 * exceed 1 together they are scaled back, because only one group can be right. What a person approved keeps its score,
 * and the others share the rest.
 */
export const groupCandidates: GroupCandidates = candidates => {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    if (candidate.run?.status !== 'ran') continue
    const members = groups.get(candidate.run.groupKey) ?? []
    members.push(candidate)
    groups.set(candidate.run.groupKey, members)
  }
  const scored = [...groups].map(
    ([key, members]): ExecutionGroup => ({
      key,
      candidateIds: members.map(member => member.id),
      representativeId: likeliestMember(members).id,
      score: scoreOf(members),
    }),
  )
  const hasApproved = ({ key }: ExecutionGroup): boolean => groups.get(key)?.some(isApproved) ?? false
  const approved = scaledTo(1, scored.filter(hasApproved))
  const others = scaledTo(
    1 - sumOfScores(approved),
    scored.filter(group => !hasApproved(group)),
  )
  return [...approved, ...others].sort((a, b) => b.score - a.score)
}

const sumOfScores = (groups: readonly ExecutionGroup[]): number =>
  groups.reduce((sum, { score }) => sum + score, 0)

/** Groups whose scores are `most` together, if they would be more. */
const scaledTo = (most: number, groups: readonly ExecutionGroup[]): readonly ExecutionGroup[] => {
  const sum = sumOfScores(groups)
  return sum > most ? groups.map(group => ({ ...group, score: group.score * (most / sum) })) : groups
}

const scoreOf = (members: readonly Candidate[]): number => {
  const byLineage = new Map<string, number>()
  for (const member of members) {
    byLineage.set(member.lineage, Math.min(1, (byLineage.get(member.lineage) ?? 0) + member.prior))
  }
  const wrong = [...byLineage.values()].reduce((product, prior) => product * (1 - prior), 1)
  return (1 - wrong) * (isEmpty(members) ? EMPTY_RESULT_FACTOR : 1)
}

const isEmpty = (members: readonly Candidate[]): boolean =>
  members.every(member => member.run?.status === 'ran' && member.run.rowCount === 0)

/** Fewest repairs first, then the strongest prior, then the earliest: ids are in order of making. */
const likeliestMember = (members: readonly Candidate[]): Candidate =>
  members.reduce((best, member) => {
    if (member.repairs.length !== best.repairs.length) {
      return member.repairs.length < best.repairs.length ? member : best
    }
    return member.prior > best.prior ? member : best
  })

/** How scores of a vote become odds: each group has `exp(scale * score)`, that none is right has `exp(none)`. */
export interface GroupOdds {
  readonly scale: number
  readonly none: number
}

/** Fitted to the labelled samples of docs/evaluation.md ("Asking back"), all databases together. */
export const shippedGroupOdds: GroupOdds = { scale: 3.33, none: 0.5 }

/** The groups of a vote with the probability that each is right, best first; they add up to less than 1. */
export const groupProbabilities = ({ groups }: VoteTally, odds: GroupOdds): readonly ExecutionGroup[] => {
  const weights = groups.map(({ score }) => Math.exp(odds.scale * score))
  const all = weights.reduce((sum, weight) => sum + weight, Math.exp(odds.none))
  return groups.map(({ key, candidateIds, representativeId }, at) => ({
    key,
    candidateIds,
    representativeId,
    score: (weights[at] ?? 0) / all,
  }))
}
