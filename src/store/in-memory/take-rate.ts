import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { ConsumeRateLimit, RateRule, RateVerdict } from '../../core/rate-limit.ts'

/** Counts in this process alone. A counter lasts as long as its window. */
export const makeMemoryTakeRate = (): ConsumeRateLimit => {
  const limiterOf = limitersByRule(rule => new RateLimiterMemory(limiterOptions(rule)))
  return (rule, key, points = 1) => verdictOf(limiterOf(rule).consume(key, points))
}

/** One limiter a rule, made when it is first counted against. */
export const limitersByRule = <Limiter>(make: (rule: RateRule) => Limiter): ((rule: RateRule) => Limiter) => {
  const limiters = new Map<string, Limiter>()
  return rule => {
    const id = `${rule.name}:${rule.points}:${rule.windowMs}`
    const limiter = limiters.get(id) ?? make(rule)
    limiters.set(id, limiter)
    return limiter
  }
}

/** The library counts in whole seconds: a part of one is rounded up. */
export const limiterOptions = ({ name, points, windowMs }: RateRule) => ({
  keyPrefix: name,
  points,
  duration: Math.max(1, Math.ceil(windowMs / 1_000)),
})

/** The library rejects with a count where it is over the limit, and with an error where it could not count. */
export const verdictOf = async (consumed: Promise<RateLimiterRes>): Promise<RateVerdict> => {
  try {
    return { status: 'within', left: (await consumed).remainingPoints }
  } catch (over) {
    if (!(over instanceof RateLimiterRes)) throw over
    return { status: 'over', retryAfterMs: Math.max(1, over.msBeforeNext) }
  }
}
