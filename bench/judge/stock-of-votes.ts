import { takeStock } from '../../graphs/answer/waves/take-stock.ts'
import type { Candidate } from '../../src/core/candidate.ts'
import type { PairMember } from '../../src/core/judge-pair.ts'
import type { Ballot } from '../../src/core/standing.ts'
import { groupCandidates } from '../../src/selection/group-candidates.ts'
import { countVotes, type Priors } from '../../src/selection/standing/count-votes.ts'
import { makeRateStanding } from '../../src/selection/standing/rate-standing.ts'
import type { StandingModel } from '../../src/selection/standing/standing-model.ts'

/**
 * The groups as the graph has them after these votes, best first, ready to be compared; `priors` are the odds of the
 * semantic parser's results.
 */
export const stockOfVotes = (
  ballots: readonly Ballot[],
  priors: Priors,
  model: Pick<StandingModel, 'rating'>,
): readonly PairMember[] => {
  const candidates = ballots.map(asCandidate)
  const { groups } = takeStock(candidates, {
    paths: [{ name: 'pool-replay', cost: 'model', samples: ballots.length, draft: neverDrafts }],
    groupCandidates,
    countVotes: votes => countVotes(votes, priors),
    rateStanding: makeRateStanding(model),
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

const asCandidate = ({ candidateId, lineage, run }: Ballot): Candidate => ({
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
