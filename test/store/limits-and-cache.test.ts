import { describe, expect, it } from 'vitest'
import { makeMemoryAnswerCache, makeMemoryTakeRate } from '../../src/store/limits-and-cache.ts'
import { answerCacheContract } from '../contracts/answer-cache.ts'
import { rateLimitContract } from '../contracts/rate-limits.ts'

describe('rates counted in one process', () => rateLimitContract(async () => makeMemoryTakeRate()))

describe('answers remembered in one process', () => {
  answerCacheContract(async () => makeMemoryAnswerCache({ now: () => performance.now() }))

  it('are no more than so many: the least used gives way', async () => {
    const cache = makeMemoryAnswerCache({ now: () => performance.now(), most: 2 })
    const key = (question: string) => ({
      database: 'd',
      schemaVersion: 'v',
      question,
      answeredBy: 'a model',
      rights: 'r',
    })
    const answer = (questionId: string) => ({ questionId })
    for (const name of ['a', 'b', 'c']) await cache.store(key(name), answer(name), 60_000)
    expect(await cache.find(key('a'))).toBeNull()
    expect(await cache.find(key('c'))).toEqual(answer('c'))
  })
})
