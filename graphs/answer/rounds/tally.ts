import type { Candidate, DraftPath, ExecutionGroup } from '../../../src/domain/candidate.ts'
import type {
  CandidateVote,
  FeedbackShift,
  IndependentEvidence,
  MeasuredGroup,
  MeasureGroups,
  RankGroups,
  VoteTally,
} from '../../../src/domain/selection/ranking.ts'
import type { ChoosingDeps, DraftingDeps } from '../deps.ts'
import type { VerifiedSimilarity } from '../verified/verified-similarity.ts'

/** The state of the vote: that among candidates of models, and all results with their probabilities. */
interface TallyResult {
  readonly tally: VoteTally
  readonly groups: readonly ExecutionGroup[]
  /** What the selector sees of them; null without a selector. */
  readonly measured: readonly MeasuredGroup[] | null
}

type TallyDeps = Pick<DraftingDeps, 'paths'> &
  Pick<ChoosingDeps, 'groupCandidates' | 'countVotes' | 'rateTally'> & {
    /** The selector in use; null leaves the choice to the vote. */
    readonly selector: {
      readonly measure: MeasureGroups
      readonly rank: RankGroups
      readonly shift?: FeedbackShift | undefined
      /** Null or left out if nothing near is verified. */
      readonly likeVerified?: VerifiedSimilarity | null
      /** False if free paths could not read all that is meant: then they are no evidence. True if left out. */
      readonly hearsReadings?: boolean
    } | null
  }

/**
 * Takes stock. Drafts of models are votes. What free paths say are no votes but odds, by which a result that they
 * agree with weighs more; if no model has said anything that runs, they alone decide, shifted by what people's votes
 * have taught. Which of the results that were voted for is the best, and how sure to be, the selector says.
 */
export const tallyCandidates = (candidates: readonly Candidate[], deps: TallyDeps): TallyResult => {
  const isFree = makeIsFree(deps.paths)
  const own = deps.groupCandidates(candidates.filter(isFree))
  const priors = new Map(own.map(({ key, score }) => [key, score]))
  const candidateVotes = candidates.filter(one => !isFree(one) && one.run !== null).map(toVote)
  const tally = deps.countVotes(candidateVotes, priors)
  if (deps.selector === null) {
    const isVoted = tally.groups.length > 0
    const groups = isVoted ? joinGroups(tally, own, deps.rateTally(tally)) : own
    return { tally, groups, measured: null }
  }
  if (tally.groups.length === 0) {
    const measured = measureFree(candidates.filter(isFree), own, deps.selector)
    return { tally, groups: applyFeedbackShift(own, measured, deps.selector.shift), measured }
  }
  const measured = deps.selector.measure(
    candidateVotes,
    deps.selector.hearsReadings === false ? [] : independentEvidenceOf(candidates.filter(isFree), own),
    likenessOf(candidates, deps.selector.likeVerified),
  )
  return { tally, groups: joinRanked(deps.selector.rank(measured), { measured, own }), measured }
}

/**
 * What free paths came to, as lists in the order of their ranks. They are no evidence for themselves: the selector was
 * trained on such lists without any.
 */
const measureFree = (
  free: readonly Candidate[],
  own: readonly ExecutionGroup[],
  { measure, likeVerified }: NonNullable<TallyDeps['selector']>,
): readonly MeasuredGroup[] => {
  const shown = new Map(own.map(({ key, representativeId }) => [key, representativeId]))
  const candidateVotes = free
    .filter(({ run }) => run !== null)
    .toSorted((a, b) => a.rank - b.rank)
    .map(toVote)
  return measure(candidateVotes, [], likenessOf(free, likeVerified)).map(group => ({
    ...group,
    representativeId: shown.get(group.key) ?? group.representativeId,
  }))
}

const likenessOf = (
  candidates: readonly Candidate[],
  likeVerified: VerifiedSimilarity | null = null,
): ReadonlyMap<string, number> =>
  new Map(likeVerified === null ? [] : candidates.map(({ id, sql }) => [id, likeVerified(sql)]))

/** What free paths read, each result as likely as they say together. */
const independentEvidenceOf = (
  free: readonly Candidate[],
  own: readonly ExecutionGroup[],
): readonly IndependentEvidence[] =>
  own.flatMap(({ key, score, representativeId }) => {
    const run = free.find(({ id }) => id === representativeId)?.run
    return run?.status !== 'ran'
      ? []
      : [{ groupKey: key, probability: score, observation: run.evidence.observation ?? null }]
  })

/** Results of free paths alone stay listed: they share what the leader leaves, and never lead. */
const joinRanked = (
  ranked: ReturnType<RankGroups>,
  { measured, own }: { readonly measured: readonly MeasuredGroup[]; readonly own: readonly ExecutionGroup[] },
): readonly ExecutionGroup[] => {
  const ownOf = new Map(own.map(group => [group.key, group]))
  const members = new Map(measured.map(({ key, candidateIds }) => [key, candidateIds]))
  const left = 1 - (ranked[0]?.probability ?? 0)
  const voted = ranked.map(
    ({ key, representativeId, probability, reasons }): ExecutionGroup => ({
      key,
      candidateIds: [...(ownOf.get(key)?.candidateIds ?? []), ...(members.get(key) ?? [])],
      representativeId,
      score: probability,
      reasons,
    }),
  )
  const unvoted = own
    .filter(({ key }) => !members.has(key))
    .map(group => ({ ...group, score: Math.max(group.score * SHARE_WITHOUT_VOTES, LEAST_WEIGHT) * left }))
  const [leader, ...others] = voted
  if (leader === undefined) return own
  const rest = [...others, ...unvoted].sort((a, b) => b.score - a.score)
  const sum = rest.reduce((all, { score }) => all + score, 0)
  const fits = Math.min(1, sum > 0 ? left / sum : 1)
  return [leader, ...rest.map(group => ({ ...group, score: Math.min(leader.score, group.score * fits) }))]
}

/** A reading that no draft agrees with is half as likely as it says. */
const SHARE_WITHOUT_VOTES = 0.5

/** Whether a candidate comes from a path that asks no model; one whose path is not known does not. */
export const makeIsFree = (
  paths: readonly Pick<DraftPath, 'name' | 'cost'>[],
): ((candidate: { readonly path?: string }) => boolean) => {
  const free = new Set<string>(paths.filter(({ cost }) => cost === 'free').map(({ name }) => name))
  return ({ path }) => path !== undefined && free.has(path)
}

const toVote = ({ id, lineage, run }: Candidate): CandidateVote => ({
  candidateId: id,
  lineage,
  run:
    run?.status === 'ran'
      ? { groupKey: run.groupKey, columnsKey: run.columnsKey, evidence: run.evidence }
      : null,
})

/** Even a result with all evidence against it keeps some weight. */
const LEAST_WEIGHT = 0.02

/** The leader is as sure as the vote was rated; the others share what is left by their scores. */
const joinGroups = (
  { groups }: VoteTally,
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

/** Votes change the odds of a result beside the leader by no more than this, in logits: a factor of twenty. */
const MOST_SHIFT = 3

/** A smaller shift is not mentioned. */
const LEAST_REPORTED = 0.1

/**
 * Shifts the odds that free paths give by what people's votes have taught beyond the selector that comes with Querent:
 * each weighs its score times e to the power of its shift beside the leader's, and what they share is what they shared.
 * `own` come best first and stay exactly as they are where no vote has taught anything.
 */
export const applyFeedbackShift = (
  own: readonly ExecutionGroup[],
  measured: readonly MeasuredGroup[],
  shift: FeedbackShift | undefined,
): readonly ExecutionGroup[] => {
  const [leader] = own
  if (shift === undefined || leader === undefined || own.length < 2) return own
  const shiftOf = new Map(measured.map(group => [group.key, shift(group)]))
  // Only differences within a question mean anything, so the leader's is the zero.
  const beside = ({ key }: ExecutionGroup): number =>
    Math.max(-MOST_SHIFT, Math.min(MOST_SHIFT, (shiftOf.get(key) ?? 0) - (shiftOf.get(leader.key) ?? 0)))
  if (own.every(group => beside(group) === 0)) return own
  const shifted = own.map(group => ({ group, weight: group.score * Math.exp(beside(group)) }))
  const before = own.reduce((sum, { score }) => sum + score, 0)
  const after = shifted.reduce((sum, { weight }) => sum + weight, 0)
  return shifted
    .map(({ group, weight }) => ({
      ...group,
      score: after > 0 ? (weight * before) / after : group.score,
      ...reasonsOf(beside(group)),
    }))
    .sort((a, b) => b.score - a.score)
}

const reasonsOf = (shift: number): Pick<ExecutionGroup, 'reasons'> =>
  Math.abs(shift) < LEAST_REPORTED
    ? {}
    : { reasons: [`votes on earlier answers are ${shift > 0 ? 'for' : 'against'} it`] }
