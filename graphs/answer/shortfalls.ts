import type { Candidate, DraftPath } from '../../src/domain/candidate.ts'
import type { ModelRole } from '../../src/domain/model.ts'
import { type CallLoss, callLoss, type ModelUsage } from '../../src/domain/operations/usage.ts'
import type {
  ComparisonRecord,
  DraftingRoundRecord,
  Shortfall,
  TracedFailure,
} from '../../src/domain/trace.ts'
import { makeIsFree } from './rounds/tally.ts'

/** What a run records of its work. */
interface RecordedWork {
  readonly waves: readonly DraftingRoundRecord[]
  readonly failures: readonly TracedFailure[]
  readonly candidates: readonly Pick<Candidate, 'run'>[]
  readonly comparisons: readonly ComparisonRecord[]
  readonly usage: ModelUsage
}

/**
 * What a question did without, because a limit was reached or a model failed: each kind of work with how much of it is
 * missing, and why.
 */
export const findShortfalls = (
  work: RecordedWork,
  paths: readonly Pick<DraftPath, 'name' | 'cost'>[],
): readonly Shortfall[] => [
  ...missingDrafts(work, paths),
  ...cappedDrafts(work),
  ...unrunQueries(work),
  ...missingComparisons(work),
  ...missingCalls(work),
]

const missingDrafts = (
  { waves, failures }: RecordedWork,
  paths: readonly Pick<DraftPath, 'name' | 'cost'>[],
): readonly Shortfall[] => {
  const isFree = makeIsFree(paths)
  const planned = waves.flatMap(({ drafts }) => drafts).filter(draft => !isFree(draft)).length
  const lost = failures
    .filter(failure => !isFree(failure) && !failure.isDeclined)
    .flatMap(({ code, limit = null }) =>
      code === 'budget-spent' || code === 'model-failed' ? [callLoss({ code, limit })] : [],
    )
  return countByReason(lost).map(({ count, ...loss }) => ({
    // The drafts of a published system are not planned in rounds.
    ...{ work: 'drafts', count, of: planned < count ? null : planned, ...loss },
  }))
}

const cappedDrafts = ({ waves }: RecordedWork): readonly Shortfall[] =>
  waves
    .flatMap(({ cappedAt }) => cappedAt ?? [])
    .slice(-1)
    .map(count => ({ work: 'further-drafts', count, of: null, why: 'most-drafts', limit: null }))

const unrunQueries = ({ candidates }: RecordedWork): readonly Shortfall[] => {
  const sent = candidates.filter(({ run }) => run !== null)
  const unrun = sent.filter(({ run }) => run?.status === 'failed' && run.errorClass === 'over-budget').length
  return unrun === 0
    ? []
    : [{ work: 'queries', count: unrun, of: sent.length, why: 'query-quota', limit: null }]
}

/** Two orders of a pair are one comparison. One that a probe or a sure ranker decided needed no model. */
const missingComparisons = ({ comparisons }: RecordedWork): readonly Shortfall[] => {
  const pairs = [
    ...Map.groupBy(comparisons, ({ round, first, second }) =>
      JSON.stringify([round, ...[first, second].toSorted()]),
    ).values(),
  ].filter(orders => orders.some(({ by, lost }) => by === 'model' || lost))
  return countByReason(pairs.flatMap(orders => orders.find(({ lost }) => lost)?.lost ?? [])).map(
    ({ count, ...loss }) => ({ work: 'comparisons', count, of: pairs.length, ...loss }),
  )
}

/** Work that has no record of its own, by the role whose calls brought nothing. */
const workOfRole: Readonly<Partial<Record<ModelRole, Shortfall['work']>>> = {
  fixer: 'repairs',
  keywords: 'keywords',
  rewriter: 'follow-up',
  planner: 'examples',
  explainer: 'headline',
}

const missingCalls = ({ usage }: RecordedWork): readonly Shortfall[] =>
  (usage.lost ?? []).flatMap(({ role, count, why, limit }) => {
    const work = workOfRole[role]
    return work === undefined ? [] : [{ work, count, of: null, why, limit }]
  })

const countByReason = (losses: readonly CallLoss[]): readonly (CallLoss & { readonly count: number })[] =>
  [...Map.groupBy(losses, ({ why, limit }) => JSON.stringify([why, limit])).values()].map(same => ({
    ...same[0]!,
    count: same.length,
  }))
