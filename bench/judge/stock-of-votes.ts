import { tallyCandidates } from '../../graphs/answer/waves/take-stock.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { PairMember } from '../../src/core/judge-pair.ts'
import type { CandidateVote } from '../../src/core/standing.ts'
import { groupCandidates } from '../../src/selection/group-candidates.ts'
import { countVotes, type Priors } from '../../src/selection/standing/count-votes.ts'
import { makeRateTally } from '../../src/selection/standing/rate-standing.ts'
import type { StoppingModel } from '../../src/selection/standing/standing-model.ts'

/**
 * The groups as the graph has them after these votes, best first, ready to be compared; `priors` are the odds of the
 * semantic parser's results.
 */
export const stockOfVotes = (
  ballots: readonly CandidateVote[],
  priors: Priors,
  model: Pick<StoppingModel, 'rating'>,
): readonly PairMember[] => {
  const candidates = ballots.map(asCandidate)
  const { groups } = tallyCandidates(candidates, {
    paths: [{ name: 'pool-replay', cost: 'model', samples: ballots.length, draft: neverDrafts }],
    groupCandidates,
    countVotes: votes => countVotes(votes, priors),
    rateStanding: makeRateTally(model),
    selector: null,
  })
  return groups.map((group, place) => ({
    group,
    place,
    votes: group.candidateIds.length,
    representative: candidates.find(({ id }) => id === group.representativeId)!,
  }))
}

const neverDrafts = () => Promise.reject(new Error('these votes were cast long ago'))

const asCandidate = ({ candidateId, lineage, run }: CandidateVote): Candidate => ({
  id: candidateId,
  path: 'pool-replay',
  lineage,
  rank: 0,
  sql: '',
  prior: 0.5,
  decisions: [],
  assumptions: [],
  unused: null,
  repairs: [],
  run:
    run === null
      ? { status: 'failed', errorClass: 'other', message: '' }
      : { ...run, status: 'ran', resultId: '', rowCount: 1, columnCount: 1, milliseconds: 0 },
})
