import type { Log } from '../domain/operations/telemetry.ts'
import type { LoadChampion } from '../domain/selection/ranking.ts'
import { makeLoadChampion } from '../feedback/champion.ts'
import { makeTrainChallenger, type TrainingResult } from '../feedback/train-challenger.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { startPolling } from '../lib/poll.ts'
import { nextAtHour } from '../lib/time-zone.ts'
import { rateExperts } from '../ranking/experts.ts'
import { type ChallengeDeps, makeChallenge } from '../ranking/learning/challenge.ts'
import { shippedBenchmark } from '../ranking/learning/shipped-benchmark.ts'
import type { FeedbackSignal } from '../ranking/learning/signals.ts'
import { makeRankGroups } from '../ranking/selector/rank-groups.ts'
import {
  makeComparePair,
  makeFeedbackShift,
  type SelectorModel,
  selectorModelSchema,
  withManualFeatures,
} from '../ranking/selector/selector-model.ts'
import { shippedSelector } from '../ranking/selector/shipped-selector.ts'
import type { Repositories } from '../store/repositories/repositories.ts'
import type { OwnStore } from './own-store.ts'
import type { Resources } from './resources.ts'
import { teachExpertsFrom, weighFeedbackFor } from './weigh-feedback.ts'

/** How often a process makes sure that the next night's training is queued. */
const LOOK_EVERY_MS = 60 * 60 * 1000

/**
 * Trains a challenger every night, in one of all processes: the queue has one job per night. Resolves with a function
 * that stops planning. Does nothing if learning is off.
 */
export const startNightlyTraining = async (
  { config, log }: Pick<Resources, 'config' | 'log'>,
  { store }: OwnStore,
  deps: { readonly jobs: Jobs; readonly selector: ChallengeDeps; readonly now: () => Date },
): Promise<() => void> => {
  const { jobs, selector, now } = deps
  const { enabled, minimumVotes, hour } = config.selection.learning
  if (!enabled) return () => {}
  const { feedback, expertWeights, selectorVersions, voters } = store.repositories
  const weighFeedback = weighFeedbackFor(config, selector.compare(selector.shipped))
  const teachExperts = teachExpertsFrom(store, config, log)
  const train = makeTrainChallenger<SelectorModel, FeedbackSignal>({
    listFeedback: () => feedback.list(),
    countFeedbackSince: since => feedback.countSince(since),
    findChampion: async () => {
      const found = await selectorVersions.findChampion()
      if (found === null) return { version: selector.shipped.version, model: selector.shipped }
      // The shipped selector ranks answers if the champion cannot be read, so it is the one to beat.
      const { data } = selectorModelSchema.safeParse(found.model)
      return { version: found.version, model: data ? withManualFeatures(data) : selector.shipped }
    },
    listVersions: () => selectorVersions.list(),
    weighFeedback,
    challenge: makeChallenge(selector),
    rateExperts,
    replaceExperts: expertWeights.replace,
    replaceVoters: voters.replace,
    teachExperts,
    insertVersion: selectorVersions.insert,
    setState: selectorVersions.setState,
    nameModel: (model, version) => ({ ...model, version }),
    inTransaction: store.inTransaction,
    minimumVotes,
    now,
  })
  await jobs.work(
    'train-selector',
    async (_, { signal }) => {
      const trained = await train({ signal })
      log.info(describe(trained), 'nightly training finished')
    },
    { concurrency: 1 },
  )
  const queueNext = async (): Promise<void> => {
    const due = nextAtHour(now(), hour, config.timeZone)
    const startAfterSeconds = Math.ceil((due.getTime() - now().getTime()) / 1000)
    await jobs.send('train-selector', { due: due.toISOString() }, { startAfterSeconds })
  }
  return startPolling(queueNext, {
    everyMs: LOOK_EVERY_MS,
    onError: error => log.warn({ error }, 'could not queue the next training'),
  })
}

const describe = (trained: TrainingResult): Readonly<Record<string, unknown>> =>
  trained.status === 'judged'
    ? {
        version: trained.version,
        verdict: trained.report.verdict,
        heldOut: trained.report.heldOut,
        waiting: trained.waiting,
      }
    : trained

/** What nightly training starts from and is compared with. */
export const selectorParts: ChallengeDeps = {
  compare: makeComparePair,
  rank: makeRankGroups,
  shipped: shippedSelector,
  benchmark: shippedBenchmark,
}

/** The selector in use, according to the store. */
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
