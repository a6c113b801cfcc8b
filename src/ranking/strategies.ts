import type { ExecutionGroup } from '../domain/candidate.ts'
import { nextRoundEnd } from '../domain/selection/draft-rounds.ts'
import type {
  CandidateVote,
  DecideDrafting,
  IndependentEvidence,
  RankedGroup,
  RankGroups,
  RateTally,
  VoteTally,
} from '../domain/selection/ranking.ts'
import { measureGroups } from './features/measure-groups.ts'
import { countVotes, type Priors } from './votes.ts'

/** What the learned selector makes of one question. */
interface LearnedOutcome extends VoteOutcome {
  /** Best first, with the calibrated probability of each. */
  readonly groups: readonly ExecutionGroup[]
  readonly ranked: readonly RankedGroup[]
}

/**
 * Makes the learned selector: all candidates are compared for the choice; beside that the candidates are gone through
 * round by round until a further one is not worth its cost, and the choice is made among those.
 */
export const makeLearnedSelection =
  ({ rank, judge }: { readonly rank: RankGroups; readonly judge: DecideDrafting }) =>
  (
    candidateVotes: readonly CandidateVote[],
    parserEvidence: readonly IndependentEvidence[] = [],
  ): LearnedOutcome => {
    const groups = measureGroups(candidateVotes, parserEvidence)
    const ranked = rank(groups)
    const priors = new Map<string, number>()
    for (const { groupKey, probability } of parserEvidence)
      priors.set(groupKey, Math.min(1, (priors.get(groupKey) ?? 0) + probability))
    const consumed = countConsumed(candidateVotes, { judge, priors })
    const early = rank(measureGroups(candidateVotes.slice(0, consumed), parserEvidence))
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

/** The leader of a vote, and how early one could have stopped counting. */
interface VoteOutcome {
  readonly candidateId: string | null
  readonly confidence: number
  readonly early: { readonly consumed: number; readonly candidateId: string | null }
}

/**
 * Makes the selector by votes and evidence: all candidates are counted for the choice, and beside that the candidates
 * are gone through round by round until going on is not worth a further round.
 */
export const makeVoteWithEvidence =
  ({ rate, judge }: { readonly rate: RateTally; readonly judge: DecideDrafting }) =>
  (candidateVotes: readonly CandidateVote[], priors?: Priors): VoteOutcome => {
    const whole = countVotes(candidateVotes, priors)
    const consumed = countConsumed(candidateVotes, { judge, priors })
    const tally = countVotes(candidateVotes.slice(0, consumed), priors)
    return {
      candidateId: leaderOf(whole),
      confidence: rate(whole),
      early: { consumed, candidateId: leaderOf(tally) },
    }
  }

/** The candidates of all rounds until another round is not worth its cost. */
const countConsumed = (
  candidateVotes: readonly CandidateVote[],
  { judge, priors }: { readonly judge: DecideDrafting; readonly priors: Priors | undefined },
): number => {
  const afterRound = (made: number): number => Math.min(nextRoundEnd(made), candidateVotes.length)
  let consumed = afterRound(0)
  while (
    consumed < candidateVotes.length &&
    judge(countVotes(candidateVotes.slice(0, consumed), priors)).continues
  )
    consumed = afterRound(consumed)
  return consumed
}

const leaderOf = ({ groups }: VoteTally): string | null => groups[0]?.representativeId ?? null

/**
 * The first candidate of the result that most candidates have, as published votes are counted: equal means the same
 * set of rows with the columns in the same order, candidates that do not run have no vote, ties go to the earliest.
 * Null when none ran.
 */
export const chooseByMajority = (candidateVotes: readonly CandidateVote[]): string | null => {
  const groups = Map.groupBy(
    candidateVotes.filter(({ run }) => run !== null),
    ({ run }) => run!.columnsKey,
  )
  let best: readonly CandidateVote[] = []
  for (const members of groups.values()) if (members.length > best.length) best = members
  return best[0]?.candidateId ?? null
}
