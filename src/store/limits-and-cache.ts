import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { z } from 'zod'
import type { AnswerCache, AnswerCacheKey, CachedAnswer } from '../domain/answer-cache.ts'
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

/** The most answers cached in one process; the least recently used is dropped. */
const MAX_ANSWERS = 5_000

/** Caches answers in this process only. `now`: milliseconds of a steady clock. */
export const makeMemoryAnswerCache = ({
  now,
  most = MAX_ANSWERS,
}: {
  readonly now: () => number
  readonly most?: number
}): AnswerCache => {
  const keysOf = new Map<string, Set<string>>()
  const answers = new LRUCache<string, CachedAnswer>({
    max: most,
    perf: { now },
    ttlResolution: 0,
    dispose: ({ questionId }, key) => {
      const keys = keysOf.get(questionId)
      keys?.delete(key)
      if (keys?.size === 0) keysOf.delete(questionId)
    },
  })
  return {
    find: async key => answers.get(hashAnswerKey(key)) ?? null,
    store: async (key, answer, forMs) => {
      if (forMs <= 0) return
      const hash = hashAnswerKey(key)
      answers.delete(hash)
      answers.set(hash, answer, { ttl: forMs })
      const keys = keysOf.get(answer.questionId) ?? new Set()
      keysOf.set(answer.questionId, keys.add(hash))
    },
    forget: async questionId => {
      for (const key of [...(keysOf.get(questionId) ?? [])]) answers.delete(key)
    },
  }
}

const Kept = z.object({ questionId: z.string(), answeredAt: z.iso.datetime().transform(at => new Date(at)) })

/**
 * Caches answers in Redis: only ids and times, no words or rows. Each question has a set of its keys, so that all of
 * them can be removed. While Redis is unavailable, nothing is found or stored.
 */
export const makeRedisAnswerCache = (
  redis: SharedRedis,
  { prefix = redisPrefix }: { readonly prefix?: string } = {},
): AnswerCache => {
  const keysOf = (questionId: string): string => `${prefix}answers-of:${questionId}`
  return {
    find: async key => {
      const found = await redis.attempt(client => client.get(`${prefix}answer:${hashAnswerKey(key)}`))
      return found.done && found.value !== null ? readKept(found.value) : null
    },
    store: async (key, { questionId, answeredAt }, forMs) => {
      if (forMs <= 0) return
      const name = `${prefix}answer:${hashAnswerKey(key)}`
      const text = JSON.stringify({ questionId, answeredAt: answeredAt.toISOString() })
      await redis.attempt(client =>
        client
          .multi()
          .set(name, text, { expiration: { type: 'PX', value: Math.ceil(forMs) } })
          .sAdd(keysOf(questionId), name)
          // Longer than any of its answers: if the set expired earlier, some answers could no longer be removed.
          .pExpire(keysOf(questionId), Math.ceil(forMs) * 2)
          .exec(),
      )
    },
    forget: async questionId => {
      await redis.attempt(async client => {
        const names = await client.sMembers(keysOf(questionId))
        await client.del([...names, keysOf(questionId)])
      })
    },
  }
}

const readKept = (text: string): z.output<typeof Kept> | null => {
  try {
    return Kept.parse(JSON.parse(text))
  } catch {
    // Written by another version: ignored.
    return null
  }
}

/** Hash of a key. People's words are in no cache, only their hashes. */
const hashAnswerKey = ({ database, schemaVersion, question, answeredBy, rights }: AnswerCacheKey): string =>
  createHash('sha256')
    .update(JSON.stringify([database, schemaVersion, question, answeredBy, rights]))
    .digest('base64url')
