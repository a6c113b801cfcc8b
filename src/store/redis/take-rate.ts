import { RateLimiterRedis } from 'rate-limiter-flexible'
import type { ConsumeRateLimit } from '../../core/rate-limit.ts'
import { limiterOptions, limitersByRule, makeMemoryTakeRate, verdictOf } from '../in-memory/take-rate.ts'
import { redisPrefix, type SharedRedis } from './shared-redis.ts'

/**
 * Counts in Redis, for all processes together. This process counts along: when Redis goes away, its own count knows
 * what it has let through already, and goes on from there.
 */
export const makeRedisTakeRate = (
  redis: SharedRedis,
  options: { readonly prefix?: string } = {},
): ConsumeRateLimit => {
  const prefix = `${options.prefix ?? redisPrefix}rate:`
  const takeAlone = makeMemoryTakeRate()
  const limiterOf = limitersByRule(rule => {
    const given = limiterOptions(rule)
    return new RateLimiterRedis({
      ...given,
      keyPrefix: `${prefix}${given.keyPrefix}`,
      storeClient: redis.client,
      useRedisPackage: true,
    })
  })
  return async (rule, key, points = 1) => {
    const alone = await takeAlone(rule, key, points)
    const shared = await redis.attempt(() => verdictOf(limiterOf(rule).consume(key, points)))
    return shared.done ? shared.value : alone
  }
}
