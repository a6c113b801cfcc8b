import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Log, silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeRedisAnswerCache, makeRedisTakeRate } from '../../src/store/limits-and-cache.ts'
import { makeRedisNoticeBoard } from '../../src/store/notices.ts'
import { openSharedRedis, type SharedRedis } from '../../src/store/redis.ts'
import { answerCacheContract } from '../contracts/answer-cache.ts'
import { noticeBoardContract } from '../contracts/notice-board.ts'
import { rateLimitContract } from '../contracts/rate-limits.ts'
import { requireService } from '../helpers/services/require-service.ts'
import { startRedis, type TestRedis } from '../helpers/services/start-redis.ts'

const url = requireService('REDIS_URL', 'what processes share over Redis')

const prefix = `querent-test-${randomUUID()}:`

const openAt = async (at: string, log: Log = silentLog): Promise<SharedRedis> => {
  const redis = openSharedRedis({ url: at, log, now: () => performance.now() })
  await vi.waitFor(() => expect(redis.client.isReady).toBe(true), { timeout: 5_000 })
  return redis
}

describe.skipIf(url === null)('over Redis', () => {
  let here: SharedRedis
  let there: SharedRedis
  beforeAll(async () => {
    here = await openAt(url ?? '')
    there = await openAt(url ?? '')
  })
  afterAll(async () => {
    const left = await here.client.keys(`${prefix}*`)
    if (left.length > 0) await here.client.del(left)
    await here.close()
    await there.close()
  })

  describe('rates', () => {
    rateLimitContract(async () => makeRedisTakeRate(here, { prefix }))

    it('are counted by all processes together', async () => {
      const rule = { name: 'shared', points: 1, windowMs: 60_000 }
      const key = randomUUID()
      await makeRedisTakeRate(here, { prefix })(rule, key)
      expect(await makeRedisTakeRate(there, { prefix })(rule, key)).toMatchObject({ status: 'over' })
    })
  })

  describe('rates that somebody else wrote', () => {
    const counterOf = (rule: { readonly name: string }, key: string): string =>
      `${prefix}rate:${rule.name}:${key}`
    const minute = { name: 'written', points: 2, windowMs: 60_000 }
    const writes: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
      'set back': name => here.client.set(name, '-1000000', { expiration: { type: 'EX', value: 60 } }),
      'set back a little': name => here.client.set(name, '0', { expiration: { type: 'EX', value: 60 } }),
      'with an end far away': name =>
        here.client.set(name, '1000000', { expiration: { type: 'EX', value: 600_000 } }),
      'of words': name => here.client.set(name, 'many'),
      'of another kind': name => here.client.rPush(name, ['1', '2']),
    }

    it.each(Object.entries(writes))('let no more and no less through: %s', async (_, write) => {
      const key = randomUUID()
      const take = makeRedisTakeRate(here, { prefix })
      await write(counterOf(minute, key))
      expect(await take(minute, key)).toEqual({ status: 'within', left: 1 })
      await write(counterOf(minute, key))
      expect(await take(minute, key)).toEqual({ status: 'within', left: 0 })
      await write(counterOf(minute, key))
      const third = await take(minute, key)
      expect(third.status).toBe('over')
      if (third.status === 'over') expect(third.retryAfterMs).toBeLessThanOrEqual(60_000)
    })

    it('do not make a process do without Redis', async () => {
      const key = randomUUID()
      await here.client.rPush(counterOf(minute, key), 'one')
      await makeRedisTakeRate(here, { prefix })(minute, key)
      expect(await here.attempt(client => client.ping())).toEqual({ done: true, value: 'PONG' })
    })
  })

  describe('answers', () => {
    answerCacheContract(async () => makeRedisAnswerCache(here, { prefix }))

    it('are remembered for all processes, and forgotten by all', async () => {
      const key = {
        database: 'd',
        schemaVersion: 'v',
        question: randomUUID(),
        answeredBy: 'a model',
        rights: 'r',
      }
      const answer = { questionId: randomUUID() }
      const [one, other] = [makeRedisAnswerCache(here, { prefix }), makeRedisAnswerCache(there, { prefix })]
      await one.store(key, answer, 60_000)
      expect(await other.find(key)).toEqual(answer)
      await other.forget(answer.questionId)
      expect(await one.find(key)).toBeNull()
    })

    const keyOf = () => ({
      ...{ database: 'd', schemaVersion: 'v', question: randomUUID(), answeredBy: 'a model', rights: 'r' },
    })
    const unreadable: Readonly<Record<string, string>> = {
      'no JSON': 'tents',
      'no id': JSON.stringify({ questionId: "' or 1 = 1 --" }),
      'too long': JSON.stringify({ questionId: randomUUID(), padding: 'x'.repeat(1_000) }),
      'of another version': '{"v":2}',
    }

    it.each(Object.entries(unreadable))('that cannot be read are none: %s', async (_, text) => {
      const cache = makeRedisAnswerCache(here, { prefix })
      const key = keyOf()
      await cache.store(key, { questionId: randomUUID() }, 60_000)
      for (const name of await here.client.keys(`${prefix}answer:*`)) await here.client.set(name, text)
      expect(await cache.find(key)).toBeNull()
    })

    it('of another kind are none, and Redis is not taken for unreachable', async () => {
      const cache = makeRedisAnswerCache(here, { prefix })
      const key = keyOf()
      await cache.store(key, { questionId: randomUUID() }, 60_000)
      for (const name of await here.client.keys(`${prefix}answer:*`)) {
        await here.client.del(name)
        await here.client.hSet(name, 'questionId', randomUUID())
      }
      expect(await cache.find(key)).toBeNull()
      expect(await here.attempt(client => client.ping())).toMatchObject({ done: true })
    })

    it('are forgotten without the keys of others that somebody wrote among theirs', async () => {
      const cache = makeRedisAnswerCache(here, { prefix })
      const questionId = randomUUID()
      await cache.store(keyOf(), { questionId }, 60_000)
      const others = [`${prefix}sessions`, `${prefix}answer:not-a-hash`]
      for (const name of others) await here.client.set(name, 'theirs')
      await here.client.sAdd(`${prefix}answers-of:${questionId}`, others)
      await cache.forget(questionId)
      expect(await here.client.mGet(others)).toEqual(['theirs', 'theirs'])
    })
  })

  it('a process that could not listen for a while does not blame Redis', async () => {
    const asked = here.attempt(client => client.get(`${prefix}nothing`))
    // Longer than any command may take, and nothing is heard meanwhile.
    const until = performance.now() + 1_000
    while (performance.now() < until);
    expect(await asked).toEqual({ done: true, value: null })
  })

  describe('notices', () =>
    noticeBoardContract(async () => {
      const boards = [here, there].map(redis => makeRedisNoticeBoard(redis, { prefix }))
      await Promise.all(boards.map(board => board.ready))
      return { here: boards[0] as never, there: boards[1] as never }
    }))
})

describe.skipIf(url === null)('a Redis that goes away', () => {
  let server: TestRedis
  let redis: SharedRedis
  const said: string[] = []
  const hear = (_: unknown, message: string): void => void said.push(message)
  beforeAll(async () => {
    server = await startRedis()
    redis = await openAt(server.url, { ...silentLog, warn: hear, info: hear })
  })
  afterAll(async () => {
    server.thaw()
    await redis?.close()
    await server?.[Symbol.asyncDispose]()
  })
  const ids = { one: randomUUID(), two: randomUUID() }
  const rule = { name: 'away', points: 3, windowMs: 60_000 }
  const cached = { database: 'd', schemaVersion: 'v', question: 'q', answeredBy: 'a model', rights: 'r' }
  const backAgain = () => vi.waitFor(() => expect(redis.client.isReady).toBe(true), { timeout: 8_000 })

  it('is done without, said once, and used again when it is back', async () => {
    const take = makeRedisTakeRate(redis)
    const cache = makeRedisAnswerCache(redis)
    const board = makeRedisNoticeBoard(redis)
    await board.ready
    await take(rule, 'ada')
    await take(rule, 'ada')
    await server.stop()
    // What this process has let through before counts: the limit is not open because its server is away.
    expect(await take(rule, 'ada')).toEqual({ status: 'within', left: 0 })
    expect(await take(rule, 'ada')).toMatchObject({ status: 'over' })
    expect(await cache.find(cached)).toBeNull()
    await cache.store(cached, { questionId: ids.one }, 60_000)
    await cache.forget(ids.one)
    await board.publish('stop', { questionId: 'one' })
    expect(said).toEqual([expect.stringContaining('Redis is unreachable')])

    await server.start()
    await backAgain()
    expect(said).toEqual([expect.stringContaining('Redis is unreachable'), 'Redis is back'])
    await cache.store(cached, { questionId: ids.two }, 60_000)
    expect(await cache.find(cached)).toEqual({ questionId: ids.two })
    const heard: string[] = []
    board.subscribe('stop', ({ questionId }) => heard.push(questionId))
    // The connection that listens comes back by itself, perhaps a little later than the other.
    await vi.waitFor(
      async () => {
        await board.publish('stop', { questionId: 'three' })
        expect(heard).toContain('three')
      },
      { timeout: 8_000, interval: 100 },
    )
    await board.close()
  }, 30_000)

  it('and hangs holds nobody up for long, and nothing piles up', async () => {
    said.length = 0
    const take = makeRedisTakeRate(redis)
    server.freeze()
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => take(rule, 'grace')))
    expect(verdicts.filter(({ status }) => status === 'within')).toHaveLength(3)
    // It rests now: nothing is asked of a server that has just not answered.
    const asked = vi.spyOn(redis.client, 'get')
    expect(await makeRedisAnswerCache(redis).find(cached)).toBeNull()
    expect(asked).not.toHaveBeenCalled()
    asked.mockRestore()
    expect(said).toEqual([expect.stringContaining('Redis is unreachable')])
    server.thaw()
    await vi.waitFor(async () => expect(await makeRedisAnswerCache(redis).find(cached)).not.toBeNull(), {
      timeout: 10_000,
      interval: 200,
    })
    expect(said.at(-1)).toBe('Redis is back')
  }, 30_000)
})

describe('a Redis that is not there at the start', () => {
  it('is done without', async () => {
    const redis = openSharedRedis({
      url: 'redis://127.0.0.1:1',
      log: silentLog,
      now: () => performance.now(),
    })
    expect(await makeRedisTakeRate(redis)({ name: 'r', points: 1, windowMs: 1_000 }, 'k')).toMatchObject({
      status: 'within',
    })
    await redis.close()
  })
})
