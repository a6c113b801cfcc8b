import type { Candidate } from '../core/candidate.ts'
import type { ExecutionGroup, GroupCandidates } from '../core/execution-group.ts'

/** A result without rows is more often a wrong literal than a true "none"; measured on pools in facts of the field. */
const EMPTY_RESULT_FACTOR = 0.65

/**
 * Votes among execution groups with path priors. Within one lineage the candidates are rival readings, so their
 * priors add up; lineages are independent witnesses, so they combine as noisy-or. When the scores of all groups
 * exceed 1 together they are scaled back, because only one group can be right.
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
  const total = scored.reduce((sum, group) => sum + group.score, 0)
  return scored
    .map(group => (total > 1 ? { ...group, score: group.score / total } : group))
    .sort((a, b) => b.score - a.score)
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
