import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { AnswerCache, AnswerCacheKey } from '../../src/domain/answer-cache.ts'
import { until } from '../helpers/wait.ts'

const keyOf = (given: Partial<AnswerCacheKey> = {}): AnswerCacheKey => ({
  database: 'shop',
  schemaVersion: 'v1',
  question: randomUUID(),
  answeredBy: 'a model',
  rights: 'everyone',
  ...given,
})

const answerOf = (questionId: string = randomUUID()) => ({ questionId })

const HOUR = 3_600_000

/** What every cache of answers must do. */
export const answerCacheContract = (make: () => Promise<AnswerCache>): void => {
  it('finds what was kept, under an equal key', async () => {
    const cache = await make()
    const [key, answer] = [keyOf(), answerOf()]
    expect(await cache.find(key)).toBeNull()
    await cache.store(key, answer, HOUR)
    expect(await cache.find({ ...key })).toEqual(answer)
  })

  it.each(['database', 'schemaVersion', 'question', 'answeredBy', 'rights'] as const)(
    'finds nothing where the %s differs',
    async part => {
      const cache = await make()
      const key = keyOf()
      await cache.store(key, answerOf(), HOUR)
      expect(await cache.find({ ...key, [part]: 'another' })).toBeNull()
    },
  )

  it('tells parts apart that only together read alike', async () => {
    const cache = await make()
    const unique = randomUUID()
    await cache.store(keyOf({ database: 'a', schemaVersion: `b${unique}`, question: 'q' }), answerOf(), HOUR)
    expect(await cache.find(keyOf({ database: 'ab', schemaVersion: unique, question: 'q' }))).toBeNull()
  })

  it('keeps the later of two answers', async () => {
    const cache = await make()
    const [key, later] = [keyOf(), answerOf()]
    await cache.store(key, answerOf(), HOUR)
    await cache.store(key, later, HOUR)
    expect(await cache.find(key)).toEqual(later)
  })

  it('forgets what is too old', async () => {
    const cache = await make()
    const key = keyOf()
    await cache.store(key, answerOf(), 40)
    await until(async () => (await cache.find(key)) === null)
  })

  it('keeps nothing for no time', async () => {
    const cache = await make()
    const key = keyOf()
    await cache.store(key, answerOf(), 0)
    expect(await cache.find(key)).toBeNull()
  })

  it('forgets every answer of a question, and of no other', async () => {
    const cache = await make()
    const [here, there, other] = [keyOf(), keyOf({ rights: 'a few' }), keyOf()]
    const questionId = randomUUID()
    await cache.store(here, answerOf(questionId), HOUR)
    await cache.store(there, answerOf(questionId), HOUR)
    const kept = answerOf()
    await cache.store(other, kept, HOUR)
    await cache.forget(questionId)
    expect([await cache.find(here), await cache.find(there)]).toEqual([null, null])
    expect(await cache.find(other)).toEqual(kept)
  })

  it('forgets a question that it never heard of', async () => {
    const cache = await make()
    await expect(cache.forget(randomUUID())).resolves.toBeUndefined()
  })
}
