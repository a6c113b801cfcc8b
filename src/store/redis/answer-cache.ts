import { z } from 'zod'
import type { AnswerCache } from '../../core/answer-cache.ts'
import { hashAnswerKey } from '../answer-cache-key.ts'
import { redisPrefix, type SharedRedis } from './shared-redis.ts'

const Kept = z.object({ questionId: z.string(), answeredAt: z.iso.datetime().transform(at => new Date(at)) })

/**
 * Remembers answers in Redis: ids and times only, no words and no rows. Beside each question lies the set of its keys,
 * so that all of them can be forgotten. While Redis is away nothing is found and nothing is kept.
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
          // Longer than any of its answers: a set that went earlier would leave answers that nobody can forget.
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
    // Written by another version of ours: as good as nothing.
    return null
  }
}
