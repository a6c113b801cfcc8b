import type { ExecutionGroup } from '../../core/execution-group.ts'
import type { IndependentEvidence, RankedGroup, RankGroups } from '../../core/selector.ts'
import type { CandidateVote, DecideDrafting } from '../../core/standing.ts'
import { measureGroups } from '../features/group/measure-groups.ts'
import { countVotes } from '../standing/count-votes.ts'
import type { VoteOutcome } from './vote-with-evidence.ts'

/** What the learned selector makes of one question. */
export interface LearnedOutcome extends VoteOutcome {
  /** Best first, with the calibrated probability of each. */
  readonly groups: readonly ExecutionGroup[]
  readonly ranked: readonly RankedGroup[]
}

/**
 * Makes the learned selector: all candidates are compared for the choice; beside that the candidates are gone through
 * one by one until a further one is not worth its cost, and the choice is made among those.
 */
export const makeLearnedSelection =
  ({ rank, judge }: { readonly rank: RankGroups; readonly judge: DecideDrafting }) =>
  (ballots: readonly CandidateVote[], witnesses: readonly IndependentEvidence[] = []): LearnedOutcome => {
    const groups = measureGroups(ballots, witnesses)
    const ranked = rank(groups)
    const priors = new Map<string, number>()
    for (const { groupKey, probability } of witnesses)
      priors.set(groupKey, Math.min(1, (priors.get(groupKey) ?? 0) + probability))
    let consumed = Math.min(1, ballots.length)
    while (consumed < ballots.length && judge(countVotes(ballots.slice(0, consumed), priors)).continues)
      consumed += 1
    const early = rank(measureGroups(ballots.slice(0, consumed), witnesses))
    const members = new Map(groups.map(({ key, candidateIds }) => [key, candidateIds]))
    return {
      candidateId: ranked[0]?.representativeId ?? null,
      confidence: ranked[0]?.probability ?? 0,
      early: { consumed, candidateId: early[0]?.representativeId ?? null },
      groups: ranked.map(({ key, representativeId, probability }) => ({
        ...{ key, representativeId, score: probability },
        candidateIds: members.get(key) ?? [],
      })),
      ranked,
    }
  }
