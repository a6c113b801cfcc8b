import type { Candidate } from '../core/candidate.ts'
import type { Clarification, ClarificationOption, FindClarification } from '../core/clarification.ts'
import type { ExecutionGroup } from '../core/execution-group.ts'
import type { Decision } from '../core/reading.ts'

/** A rival must be at least this likely, as a share of the leader, before asking is worth anybody's time. */
const RIVAL_SHARE = 0.5
const MAX_OPTIONS = 4

/**
 * Asks about the phrase on which the leading groups decide differently. Groups that differ from the leader on
 * exactly one phrase are rivals on it; the phrase with the most rival probability is asked about, the leader's
 * own choice standing first and as the default.
 */
export const findClarification: FindClarification = (groups, candidates) => {
  const byId = new Map(candidates.map(candidate => [candidate.id, candidate]))
  const [leader, ...rest] = groups
  const leading = leader && byId.get(leader.representativeId)
  if (!leader || !leading) return null
  const rivals = new Map<string, { group: ExecutionGroup; own: Decision; other: Decision }[]>()
  for (const group of rest.filter(group => group.score >= leader.score * RIVAL_SHARE)) {
    const rival = byId.get(group.representativeId)
    const differing = rival ? differences(leading, rival) : []
    const only = differing.length === 1 ? differing[0] : undefined
    if (!only) continue
    rivals.set(only.own.phrase, [...(rivals.get(only.own.phrase) ?? []), { group, ...only }])
  }
  const strongest = [...rivals.values()].sort((a, b) => mass(b) - mass(a))[0]
  return strongest ? asQuestion(leader, strongest, byId) : null
}

const mass = (rivals: readonly { group: ExecutionGroup }[]): number =>
  rivals.reduce((sum, rival) => sum + rival.group.score, 0)

const differences = (a: Candidate, b: Candidate): { own: Decision; other: Decision }[] =>
  a.decisions.flatMap(own => {
    const other = b.decisions.find(decision => decision.phrase === own.phrase && decision.kind === own.kind)
    return other && other.choice !== own.choice ? [{ own, other }] : []
  })

const asQuestion = (
  leader: ExecutionGroup,
  rivals: readonly { group: ExecutionGroup; own: Decision; other: Decision }[],
  byId: ReadonlyMap<string, Candidate>,
): Clarification | null => {
  const first = rivals[0]
  if (!first) return null
  const options: ClarificationOption[] = [option(first.own, leader, byId)]
  for (const rival of rivals) {
    if (options.length === MAX_OPTIONS) break
    if (options.some(made => made.label === rival.other.label)) continue
    options.push(option(rival.other, rival.group, byId))
  }
  return options.length < 2
    ? null
    : { question: `What do you mean by “${first.own.phrase}”?`, options, defaultOption: 0 }
}

const option = (
  decision: Decision,
  group: ExecutionGroup,
  byId: ReadonlyMap<string, Candidate>,
): ClarificationOption => {
  const run = byId.get(group.representativeId)?.run
  const hint = run?.status === 'ran' ? `${run.rowCount} ${run.rowCount === 1 ? 'row' : 'rows'}` : ''
  return { label: decision.label, hint, candidateIds: group.candidateIds }
}
