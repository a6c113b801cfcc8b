import { makeLoadChampion } from '../../app/learning/load-champion.ts'
import type { Log } from '../../core/log.ts'
import type { LoadChampion } from '../../core/selector-version.ts'
import { shippedBenchmark } from '../../selection/benchmark/shipped-benchmark.ts'
import { makeComparePair } from '../../selection/pairwise/compare-pair.ts'
import { withManualFeatures } from '../../selection/pairwise/hand-set-features.ts'
import { makeRankGroups } from '../../selection/pairwise/rank-groups.ts'
import { selectorModelSchema } from '../../selection/pairwise/selector-model.ts'
import { makeFeedbackShift } from '../../selection/pairwise/shift-group.ts'
import { shippedSelector } from '../../selection/pairwise/shipped-selector.ts'
import type { ChallengeDeps } from '../../selection/votes/make-challenge.ts'
import type { Repositories } from '../../store/repositories/make-repositories.ts'

/** What the nightly training starts from, and what it is held to. */
export const selectorParts: ChallengeDeps = {
  compare: makeComparePair,
  rank: makeRankGroups,
  shipped: shippedSelector,
  benchmark: shippedBenchmark,
}

/** The selector in use, as the store says. */
export const loadChampionFrom = (
  { selectorVersions }: Pick<Repositories, 'selectorVersions'>,
  { now, log }: { readonly now: () => Date; readonly log: Log },
): LoadChampion =>
  makeLoadChampion({
    find: () => selectorVersions.findChampion(),
    readModel: stored => {
      const model = withManualFeatures(selectorModelSchema.parse(stored))
      return { rank: makeRankGroups(model), shift: makeFeedbackShift(model, shippedSelector) }
    },
    shipped: { version: shippedSelector.version, rank: makeRankGroups(shippedSelector) },
    now,
    log,
  })
