import { LRUCache } from 'lru-cache'
import type { AnswerCache, CachedAnswer } from '../../core/answer-cache.ts'
import { hashAnswerKey } from '../answer-cache-key.ts'

/** Answers that one process remembers at most; the least used gives way. */
const MAX_ANSWERS = 5_000

/** Remembers answers in this process alone. `now`: milliseconds of any steady clock. */
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
