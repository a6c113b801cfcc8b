import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { z } from 'zod'
import type { AnswerCache, CachedAnswer } from '../domain/answer-cache.ts'
import type { ConsumeRateLimit, RateRule, RateVerdict } from '../domain/operations/usage.ts'
import { redisPrefix, type SharedRedis } from './redis.ts'
import { hashAnswerKey, isAnswerKeyHash } from './repositories/cached-answers.ts'

/** Counts in this process only. A counter lasts as long as its window. */
export const makeMemoryTakeRate = (): ConsumeRateLimit => {
  const limiterOf = limitersByRule(rule => new RateLimiterMemory(limiterOptions(rule)))
  return async (rule, key, points = 1) => verdictOf(await countOf(limiterOf(rule).consume(key, points)), rule)
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
const countOf = async (consumed: Promise<RateLimiterRes>): Promise<RateLimiterRes> => {
  try {
    return await consumed
  } catch (over) {
    if (!(over instanceof RateLimiterRes)) throw over
    return over
  }
}

const verdictOf = (
  { consumedPoints, msBeforeNext }: Pick<RateLimiterRes, 'consumedPoints' | 'msBeforeNext'>,
  { points }: RateRule,
): RateVerdict =>
  consumedPoints <= points
    ? { status: 'within', left: points - consumedPoints }
    : { status: 'over', retryAfterMs: Math.max(1, msBeforeNext) }

/**
 * Counts in Redis for all processes. This process also counts on its own: if Redis becomes unavailable, it knows what
 * it has already allowed and continues from there. Its own count holds in any case, so a counter that somebody else
 * set back in Redis lets nothing more through here. A counter that Querent cannot have written is deleted.
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
    const limiter = limiterOf(rule)
    const counted = await redis.attempt(() => countOf(limiter.consume(key, points)))
    if (alone.status === 'over' || !counted.done) return alone
    const count = sharedCountOf(rule, points).safeParse(counted.value)
    if (!count.success) {
      await redis.attempt(() => limiter.delete(key))
      return alone
    }
    const shared = verdictOf(count.data, rule)
    return shared.status === 'within' ? { ...shared, left: Math.min(shared.left, alone.left) } : shared
  }
}

/** What a counter in Redis can say after some points were added: at least those, until its window ends. */
const sharedCountOf = (rule: RateRule, added: number) =>
  z.object({
    consumedPoints: z.int().min(added),
    msBeforeNext: z
      .int()
      .min(0)
      .max(limiterOptions(rule).duration * 1_000),
  })

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

/** Longer than any entry. No more of a value is read. */
const MOST_CHARACTERS = 255

const Entry = z.object({ questionId: z.uuid() })

/**
 * Caches answers in Redis: only their ids, no words or rows. Each question has a set of its keys, so that all of them
 * can be removed. While Redis is unavailable, nothing is found or stored. An id found here only says where to look: the
 * store decides whether its answer can be shown.
 */
export const makeRedisAnswerCache = (
  redis: SharedRedis,
  { prefix = redisPrefix }: { readonly prefix?: string } = {},
): AnswerCache => {
  const keysOf = (questionId: string): string => `${prefix}answers-of:${questionId}`
  const isAnswerName = (name: string): boolean =>
    name.startsWith(`${prefix}answer:`) && isAnswerKeyHash(name.slice(`${prefix}answer:`.length))
  return {
    find: async key => {
      const name = `${prefix}answer:${hashAnswerKey(key)}`
      const found = await redis.attempt(client => client.getRange(name, 0, MOST_CHARACTERS))
      return found.done ? readEntry(found.value ?? '') : null
    },
    store: async (key, { questionId }, forMs) => {
      if (forMs <= 0) return
      const name = `${prefix}answer:${hashAnswerKey(key)}`
      const text = JSON.stringify({ questionId })
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
        // Others may have written there, and no other key of Redis is ours to delete.
        await client.del([...names.filter(isAnswerName), keysOf(questionId)])
      })
    },
  }
}

const readEntry = (text: string): CachedAnswer | null => {
  try {
    return Entry.parse(JSON.parse(text))
  } catch {
    // Missing, or not written by this version: ignored.
    return null
  }
}
