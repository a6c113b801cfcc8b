import { tallyCandidates } from '../../graphs/answer/rounds/tally.ts'
import type { Candidate } from '../../src/domain/candidate.ts'
import type { PairMember } from '../../src/domain/selection/pairwise.ts'
import type { CandidateVote } from '../../src/domain/selection/ranking.ts'
import { makeRateTally, type StoppingModel } from '../../src/ranking/stopping-rule.ts'
import { countVotes, groupCandidates, type Priors } from '../../src/ranking/votes.ts'

/**
 * The groups as the graph has them after these votes, best first, ready to be compared; `priors` are the odds of the
 * semantic parser's results.
 */
export const stockOfVotes = (
  candidateVotes: readonly CandidateVote[],
  priors: Priors,
  model: Pick<StoppingModel, 'rating'>,
): readonly PairMember[] => {
  const candidates = candidateVotes.map(asCandidate)
  const { groups } = tallyCandidates(candidates, {
    paths: [{ name: 'pool-replay', cost: 'model', samples: candidateVotes.length, draft: neverDrafts }],
    groupCandidates,
    countVotes: votes => countVotes(votes, priors),
    rateTally: makeRateTally(model),
    selector: null,
  })
  return groups.map((group, rank) => ({
    group,
    rank,
    votes: group.candidateIds.length,
    representative: candidates.find(({ id }) => id === group.representativeId)!,
  }))
}

const neverDrafts = () => Promise.reject(new Error('these votes were cast long ago'))

const asCandidate = ({ candidateId, lineage, run }: CandidateVote): Candidate => ({
  id: candidateId,
  origin: { attempt: 0, round: 0, sample: 0 },
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
