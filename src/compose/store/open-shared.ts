import type { Config } from '../../config/config.ts'
import type { AnswerCache } from '../../core/answer-cache.ts'
import type { Log } from '../../core/log.ts'
import type { NotificationBus } from '../../core/notice.ts'
import type { ConsumeRateLimit } from '../../core/rate-limit.ts'
import type { Releasers } from '../../lib/make-releasers.ts'
import { makeMemoryAnswerCache } from '../../store/in-memory/answer-cache.ts'
import { makeMemoryTakeRate } from '../../store/in-memory/take-rate.ts'
import { makePostgresNoticeBoard } from '../../store/notice-board.ts'
import { makeRedisAnswerCache } from '../../store/redis/answer-cache.ts'
import { makeRedisNoticeBoard } from '../../store/redis/notice-board.ts'
import { openSharedRedis } from '../../store/redis/shared-redis.ts'
import { makeRedisTakeRate } from '../../store/redis/take-rate.ts'

/** What processes share besides our own Postgres. */
export interface SharedBackends {
  readonly take: ConsumeRateLimit
  readonly cache: AnswerCache
  readonly notices: NotificationBus
}

/**
 * Opens it: over Redis where REDIS_URL names one, else in this process, with notices over Postgres so that several
 * processes hear of each other all the same.
 */
export const openSharedBackends = (deps: {
  readonly config: Pick<Config, 'store'>
  /** Of our own Postgres. */
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
    return { take: makeMemoryTakeRate(), cache: makeMemoryAnswerCache({ now }), notices }
  }
  const redis = openSharedRedis({ url: redisUrl.reveal(), log, now })
  releasers.push(() => redis.close())
  const notices = makeRedisNoticeBoard(redis)
  releasers.push(() => notices.close())
  return { take: makeRedisTakeRate(redis), cache: makeRedisAnswerCache(redis), notices }
}
