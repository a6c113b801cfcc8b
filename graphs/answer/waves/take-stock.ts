import type { Candidate } from '../../../src/core/candidate.ts'
import type { DraftPath } from '../../../src/core/draft.ts'
import type { ExecutionGroup } from '../../../src/core/execution-group.ts'
import type { Ballot, Standing } from '../../../src/core/standing.ts'
import type { AnswerDeps } from '../deps.ts'

/** How the candidates stand: the vote among those that models wrote, and all results with how sure one may be. */
export interface Stock {
  readonly standing: Standing
  readonly groups: readonly ExecutionGroup[]
}

type StockDeps = Pick<AnswerDeps, 'paths' | 'groupCandidates' | 'countVotes' | 'rateStanding'>

/**
 * Takes stock. Drafts of models are votes. What free paths say are no votes but odds, by which a result that they
 * agree with weighs more; where no model has said anything that runs, they alone decide.
 */
export const takeStock = (candidates: readonly Candidate[], deps: StockDeps): Stock => {
  const isFree = freeTest(deps.paths)
  const own = deps.groupCandidates(candidates.filter(isFree))
  const priors = new Map(own.map(({ key, score }) => [key, score]))
  const standing = deps.countVotes(
    candidates.filter(one => !isFree(one) && one.run !== null).map(toBallot),
    priors,
  )
  if (standing.groups.length === 0) return { standing, groups: own }
  return { standing, groups: joinGroups(standing, own, deps.rateStanding(standing)) }
}

const freeTest = (paths: readonly DraftPath[]): ((candidate: Candidate) => boolean) => {
  const free = new Set<string>(paths.filter(({ cost }) => cost === 'free').map(({ name }) => name))
  return ({ path }) => free.has(path)
}

const toBallot = ({ id, lineage, run }: Candidate): Ballot => ({
  candidateId: id,
  lineage,
  run:
    run?.status === 'ran'
      ? { groupKey: run.groupKey, columnsKey: run.columnsKey, evidence: run.evidence }
      : null,
})

/** Even a result that everything speaks against keeps some weight beside its rivals. */
const LEAST_WEIGHT = 0.02

/** The leader is as sure as the vote was rated; the others share what is left by their scores. */
const joinGroups = (
  { groups }: Standing,
  own: readonly ExecutionGroup[],
  probability: number,
): readonly ExecutionGroup[] => {
  const voted = new Set(groups.map(({ key }) => key))
  const ownOf = new Map(own.map(group => [group.key, group]))
  const weighed = [
    ...groups.map(({ key, candidateIds, representativeId, score }) => ({
      key,
      candidateIds: [...(ownOf.get(key)?.candidateIds ?? []), ...candidateIds],
      representativeId,
      weight: Math.max(score, LEAST_WEIGHT),
    })),
    ...own
      .filter(({ key }) => !voted.has(key))
      .map(group => ({ ...group, weight: Math.max(group.score / 2, LEAST_WEIGHT) })),
  ]
  const [leader, ...others] = weighed
  if (leader === undefined) return []
  const rest = others.reduce((sum, { weight }) => sum + weight, 0)
  return [
    { ...withoutWeight(leader), score: probability },
    ...others
      .sort((a, b) => b.weight - a.weight)
      .map(other => ({ ...withoutWeight(other), score: ((1 - probability) * other.weight) / rest })),
  ]
}

const withoutWeight = ({
  key,
  candidateIds,
  representativeId,
}: Omit<ExecutionGroup, 'score'>): Omit<ExecutionGroup, 'score'> => ({ key, candidateIds, representativeId })
