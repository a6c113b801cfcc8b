import type { CandidateVote } from '../../core/standing.ts'

/**
 * The first candidate of the result that most candidates have, as published votes are counted: equal means the same
 * set of rows with the columns in the same order, candidates that do not run have no vote, ties go to the earliest.
 * Null when none ran.
 */
export const chooseByMajority = (ballots: readonly CandidateVote[]): string | null => {
  const groups = Map.groupBy(
    ballots.filter(({ run }) => run !== null),
    ({ run }) => run!.columnsKey,
  )
  let best: readonly CandidateVote[] = []
  for (const members of groups.values()) if (members.length > best.length) best = members
  return best[0]?.candidateId ?? null
}
