import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { ConsumeRateLimit, RateRule, RateVerdict } from '../domain/operations/usage.ts'
import { redisPrefix, type SharedRedis } from './redis.ts'

/** Counts in this process only. A counter lasts as long as its window. */
export const makeMemoryTakeRate = (): ConsumeRateLimit => {
  const limiterOf = limitersByRule(rule => new RateLimiterMemory(limiterOptions(rule)))
  return (rule, key, points = 1) => verdictOf(limiterOf(rule).consume(key, points))
}

/** One limiter per rule, created when first used. */
const limitersByRule = <Limiter>(make: (rule: RateRule) => Limiter): ((rule: RateRule) => Limiter) => {
  const limiters = new Map<string, Limiter>()
  return rule => {
    const id = `${rule.name}:${rule.points}:${rule.windowMs}`
    const limiter = limiters.get(id) ?? make(rule)
    limiters.set(id, limiter)
    return limiter
  }
}

/** The library counts in whole seconds: fractions are rounded up. */
const limiterOptions = ({ name, points, windowMs }: RateRule) => ({
  keyPrefix: name,
  points,
  duration: Math.max(1, Math.ceil(windowMs / 1_000)),
})

/** The library rejects with a result if the limit is exceeded, and with an error if it could not count. */
const verdictOf = async (consumed: Promise<RateLimiterRes>): Promise<RateVerdict> => {
  try {
    return { status: 'within', left: (await consumed).remainingPoints }
  } catch (over) {
    if (!(over instanceof RateLimiterRes)) throw over
    return { status: 'over', retryAfterMs: Math.max(1, over.msBeforeNext) }
  }
}

/**
 * Counts in Redis for all processes. This process also counts on its own: if Redis becomes unavailable, it knows what
 * it has already allowed and continues from there.
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
