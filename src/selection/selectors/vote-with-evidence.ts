import type { CandidateVote, DecideDrafting, RateTally, VoteTally } from '../../core/standing.ts'
import { countVotes, type Priors } from '../standing/count-votes.ts'

/** The leader of a vote, and how early one could have stopped counting. */
export interface VoteOutcome {
  readonly candidateId: string | null
  readonly confidence: number
  readonly early: { readonly consumed: number; readonly candidateId: string | null }
}

/**
 * Makes the selector by votes and evidence: all candidates are counted for the choice, and beside that the candidates
 * are gone through one by one until going on is not worth a further one.
 */
export const makeVoteWithEvidence =
  ({ rate, judge }: { readonly rate: RateTally; readonly judge: DecideDrafting }) =>
  (ballots: readonly CandidateVote[], priors?: Priors): VoteOutcome => {
    const whole = countVotes(ballots, priors)
    let consumed = Math.min(1, ballots.length)
    let standing = countVotes(ballots.slice(0, consumed), priors)
    while (consumed < ballots.length && judge(standing).continues) {
      consumed += 1
      standing = countVotes(ballots.slice(0, consumed), priors)
    }
    return {
      candidateId: leaderOf(whole),
      confidence: rate(whole),
      early: { consumed, candidateId: leaderOf(standing) },
    }
  }

const leaderOf = ({ groups }: VoteTally): string | null => groups[0]?.representativeId ?? null
