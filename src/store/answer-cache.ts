import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { AnswerCache, AnswerCacheKey, CachedAnswer } from '../domain/answer-cache.ts'
import { redisPrefix, type SharedRedis } from './redis.ts'

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
