import type { Candidate, ExecutionGroup } from '../../../src/domain/candidate.ts'

/** So many drafts that say the same are believed without asking further ones. */
const ENOUGH = 2

/**
 * Whether most drafts of models say that the question has several meanings, and their statements give different
 * results: then a person is asked, and neither further drafts nor a judge could say what was meant. `candidates` are
 * those of one attempt.
 */
export const agreeOnMeanings = (
  candidates: readonly Candidate[],
  { groups, cannotAnswer }: { readonly groups: readonly ExecutionGroup[]; readonly cannotAnswer: number },
): boolean => {
  const named = candidates.filter(one => one.named !== undefined)
  const saying = countDrafts(named)
  // Only what asks no model knows which words it leaves unused.
  const all = countDrafts(candidates.filter(({ unused }) => unused === null)) + cannotAnswer
  if (saying < ENOUGH || saying * 2 <= all) return false
  const results = groups.filter(group => named.some(({ id }) => group.candidateIds.includes(id)))
  return results.length > 1
}

/** One draft has a statement for each meaning. */
const countDrafts = (candidates: readonly Candidate[]): number =>
  new Set(candidates.map(({ path, origin: { round, sample } }) => JSON.stringify([path, round, sample]))).size
