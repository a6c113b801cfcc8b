import { randomUUID } from 'node:crypto'
import {
  type CheckRateLimit,
  makeCheckRateLimit,
  makeNotifyRateLimited,
  type NotifyPrivately,
  type RateLimit,
} from '../answering/rate-limits.ts'
import { makeAnswerReuse } from '../answering/reuse-answer.ts'
import { fingerprintCode, fingerprintSettings } from '../config/answer-fingerprint.ts'
import type { Config } from '../config/config.ts'
import type { AccessControl } from '../domain/access/access.ts'
import type { AnswerCache, AnswerReuse } from '../domain/answer-cache.ts'
import type { LocatedQuestion } from '../domain/message.ts'
import type { NotificationBus } from '../domain/operations/jobs.ts'
import type { Log, Metrics } from '../domain/operations/telemetry.ts'
import type { ConsumeRateLimit } from '../domain/operations/usage.ts'
import { once } from '../lib/once.ts'
import type { Releasers } from '../lib/releasers.ts'
import {
  makeMemoryAnswerCache,
  makeMemoryTakeRate,
  makeRedisAnswerCache,
  makeRedisTakeRate,
} from '../store/limits-and-cache.ts'
import { makePostgresNoticeBoard, makeRedisNoticeBoard } from '../store/notices.ts'
import { openSharedRedis } from '../store/redis.ts'
import type { Repositories } from '../store/repositories/repositories.ts'
import type { OwnStore } from './own-store.ts'
import type { Resources } from './resources.ts'

/** What replicas share: rate limits, reused answers, notices. */
interface SharedServices extends Pick<SharedBackends, 'notices'> {
  readonly limitQuestions: CheckRateLimit
  readonly limitButtons: CheckRateLimit
  readonly notifyRateLimited: NotifyPrivately
  readonly answerReuse: AnswerReuse | null
  readonly forgetAnswer: (questionId: string) => void
}

export const makeSharedServices = (
  resources: Pick<
    Resources,
    'config' | 'releasers' | 'log' | 'metrics' | 'invalidateDatabase' | 'onDatabaseMeasured'
  >,
  { url, store: { repositories } }: OwnStore,
  deps: {
    readonly access: Pick<AccessControl, 'rightsFingerprint'>
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly isAdmin: (person: string) => boolean
    readonly notifyPrivately: NotifyPrivately
    readonly now: () => Date
  },
): SharedServices => {
  const { config, releasers, log, metrics } = resources
  const { consumeRateLimit: take, cache, notices } = openSharedBackends({ config, url, releasers, log })
  const { access, findPlaced, isAdmin, notifyPrivately, now } = deps
  const unsubscribe = shareIndexChanges(resources, notices)
  releasers.push(async () => unsubscribe())
  return {
    notices,
    ...makeRateLimits(config, { consume: take, isAdmin, metrics }),
    notifyRateLimited: makeNotifyRateLimited({ consume: take, notifyPrivately, log }),
    answerReuse: makeConfiguredAnswerReuse(config, repositories, { cache, access, findPlaced, now, log }),
    forgetAnswer: makeInvalidateAnswer(repositories, { cache, log }),
  }
}

/** What processes share besides the store's Postgres. */
interface SharedBackends {
  readonly consumeRateLimit: ConsumeRateLimit
  readonly cache: AnswerCache
  readonly notices: NotificationBus
}

/**
 * Uses Redis if REDIS_URL is set; otherwise this process only, with notices over Postgres so that processes still reach
 * each other.
 */
export const openSharedBackends = (deps: {
  readonly config: Pick<Config, 'store'>
  /** URL of the store's Postgres. */
  readonly url: string
  readonly releasers: Releasers
  readonly log: Log
}): SharedBackends => {
  const { config, url, releasers, log } = deps
  const now = (): number => performance.now()
  const { redisUrl } = config.store
  if (!redisUrl) {
    const notices = makePostgresNoticeBoard({ url, log })
    releasers.push(() => notices.close())
    return { consumeRateLimit: makeMemoryTakeRate(), cache: makeMemoryAnswerCache({ now }), notices }
  }
  const redis = openSharedRedis({ url: redisUrl.reveal(), log, now })
  releasers.push(() => redis.close())
  const notices = makeRedisNoticeBoard(redis)
  releasers.push(() => notices.close())
  return { consumeRateLimit: makeRedisTakeRate(redis), cache: makeRedisAnswerCache(redis), notices }
}

const MINUTE_MS = 60_000

const HOUR_MS = 60 * MINUTE_MS

/** The rate limits of querent.yml: on questions, and on clicks that run something or ask people for something. */
export const makeRateLimits = (
  { rateLimits }: Pick<Config, 'rateLimits'>,
  deps: {
    readonly consume: ConsumeRateLimit
    readonly isAdmin: (person: string) => boolean
    readonly metrics?: Pick<Metrics, 'rateLimited'>
  },
): { readonly limitQuestions: CheckRateLimit; readonly limitButtons: CheckRateLimit } => {
  const { personPerMinute, personPerHour, teamPerMinute, teamPerHour, buttonsPerMinute } = rateLimits
  const { metrics, ...rest } = deps
  const limited = (limits: readonly RateLimit[]): CheckRateLimit =>
    makeCheckRateLimit({ ...rest, limits, ...(metrics && { onExceeded: rule => metrics.rateLimited(rule) }) })
  return {
    limitQuestions: limited([
      ...limit('person', 'questions-person-minute', personPerMinute, MINUTE_MS, 'questions a minute'),
      ...limit('person', 'questions-person-hour', personPerHour, HOUR_MS, 'questions an hour'),
      ...limit(
        'team',
        'questions-team-minute',
        teamPerMinute,
        MINUTE_MS,
        'questions a minute for the whole workspace',
      ),
      ...limit(
        'team',
        'questions-team-hour',
        teamPerHour,
        HOUR_MS,
        'questions an hour for the whole workspace',
      ),
    ]),
    limitButtons: limited(
      limit('person', 'buttons-person-minute', buttonsPerMinute, MINUTE_MS, 'clicks of this kind a minute'),
    ),
  }
}

const limit = (
  of: RateLimit['scope'],
  name: string,
  points: number | null,
  windowMs: number,
  told: string,
): readonly RateLimit[] =>
  points === null
    ? []
    : [{ scope: of, rule: { name, points, windowMs }, label: `${points.toLocaleString('en-US')} ${told}` }]

/** Other processes soon reload what one process has profiled again. Returns a function that stops it. */
export const shareIndexChanges = (
  { invalidateDatabase, onDatabaseMeasured }: Pick<Resources, 'invalidateDatabase' | 'onDatabaseMeasured'>,
  notices: Pick<NotificationBus, 'publish' | 'subscribe'>,
): (() => void) => {
  const stopPublishing = onDatabaseMeasured(
    (database, fingerprint) => void notices.publish('index-changed', { database, fingerprint }),
  )
  const unsubscribe = notices.subscribe('index-changed', ({ database }) => invalidateDatabase(database))
  return () => {
    stopPublishing()
    unsubscribe()
  }
}

/** Reuses recent answers; null if that is turned off. */
export const makeConfiguredAnswerReuse = (
  config: Config,
  repositories: Pick<
    Repositories,
    'answers' | 'questionContexts' | 'cachedAnswers' | 'candidates' | 'traces'
  >,
  deps: {
    readonly cache: AnswerCache
    readonly access: Pick<AccessControl, 'rightsFingerprint'>
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly now: () => Date
    readonly log: Log
  },
): AnswerReuse | null => {
  const { cacheMinutes } = config.answer
  if (cacheMinutes === 0) return null
  const { answers, questionContexts, cachedAnswers, candidates, traces } = repositories
  const { cache, access, findPlaced, now, log } = deps
  const fingerprint = once(async () => `${fingerprintSettings(config)} ${await fingerprintCode()}`)
  // Now, while the files are the ones this process has loaded. If it fails, a question tries again.
  fingerprint().catch(() => {})
  return makeAnswerReuse({
    ...{ cache, findPlaced, now, log },
    forMs: cacheMinutes * MINUTE_MS,
    fingerprint,
    rightsFingerprint: access.rightsFingerprint,
    recordReusable: given => cachedAnswers.record(given),
    findReusable: given => cachedAnswers.findReusable(given, now()),
    findAnswer: questionId => answers.find(questionId),
    listCandidates: questionId => candidates.list(questionId),
    findContext: questionId => questionContexts.find(questionId),
    findTrace: questionId => traces.find(questionId, now()),
    copyResult: async (from, questionId) => {
      const to = randomUUID()
      return (await cachedAnswers.copyResult({ from, to, questionId }, now())) ? to : null
    },
  })
}

/**
 * Removes an answer from the cache after somebody changed it, marked it as wrong or deleted the question. Nothing waits
 * for it: the store is asked too whether an answer may be shown again.
 */
const makeInvalidateAnswer =
  (
    { cachedAnswers }: Pick<Repositories, 'cachedAnswers'>,
    { cache, log }: { readonly cache: Pick<AnswerCache, 'forget'>; readonly log: Log },
  ): ((questionId: string) => void) =>
  questionId => {
    void (async () => {
      await cache.forget((await cachedAnswers.sourceOf(questionId)) ?? questionId)
    })().catch((error: unknown) =>
      log.warn({ error, questionId }, 'could not remove an answer from the cache'),
    )
  }
