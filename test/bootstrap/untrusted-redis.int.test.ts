import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeConfiguredAnswerReuse } from '../../src/bootstrap/shared-services.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import type { Outcome } from '../../src/domain/answer.ts'
import type { CandidateRun } from '../../src/domain/candidate.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { noModelUsage } from '../../src/domain/operations/usage.ts'
import type { Question } from '../../src/domain/question.ts'
import type { ResultTable } from '../../src/domain/result.ts'
import { makeRedisAnswerCache } from '../../src/store/limits-and-cache.ts'
import { openSharedRedis, type SharedRedis } from '../../src/store/redis.ts'
import { makeCandidate, ranWith } from '../helpers/make-candidate.ts'
import { requireService } from '../helpers/services/require-service.ts'
import { makeQuestion } from '../store/setup/make-question.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

/** Somebody can write to Redis, and puts ids of other people's answers there. */

const url = requireService('REDIS_URL', 'a Redis that somebody else writes to')

const prefix = `querent-test-${randomUUID()}:`

const now = new Date('2026-11-22T10:00:00Z')

const rows: ResultTable = {
  columns: [{ name: 'n', kind: 'integer' }],
  rows: [[7n]],
  truncated: null,
  milliseconds: 1,
}

describe.skipIf(url === null)('an id that somebody wrote into Redis', () => {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  let redis: SharedRedis
  let reuse: NonNullable<ReturnType<typeof makeConfiguredAnswerReuse>>

  const folder = mkdtempSync(join(tmpdir(), 'querent-untrusted-'))

  beforeAll(async () => {
    writeFileSync(join(folder, 'querent.yml'), 'answer: {cacheMinutes: 15}\n')
    opened = await openTestStore({ now: () => now })
    redis = openSharedRedis({ url: url ?? '', log: silentLog, now: () => performance.now() })
    await vi.waitFor(() => expect(redis.client.isReady).toBe(true), { timeout: 5_000 })
    const { repositories } = opened.store
    const config = loadConfig({ cwd: folder, env: {} })
    const made = makeConfiguredAnswerReuse(config, repositories, {
      cache: makeRedisAnswerCache(redis, { prefix }),
      // As in the program: the workspace and the database with the key of the person's rights.
      access: {
        rightsFingerprint: async ({ person, location }) => `${location.team} ${person.slice(0, 2)}`,
      },
      findPlaced: async id => {
        const found = await repositories.questions.find(id)
        return found?.place ? { question: found, location: found.place } : null
      },
      now: () => now,
      log: silentLog,
    })
    if (!made) throw new Error('answers are not reused')
    reuse = made
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true })
    const left = await redis.client.keys(`${prefix}*`)
    if (left.length > 0) await redis.client.del(left)
    await redis.close()
    await opened[Symbol.asyncDispose]()
  })

  const keep = async ({ team = 'T1', ...given }: Partial<Question> & { readonly team?: string } = {}) => {
    const id = randomUUID()
    const question = makeQuestion({ id, key: id, askedBy: 'U1', ...given })
    await opened.store.repositories.questions.insert(question, {
      ...{ team, channel: 'C', thread: id, message: id },
    })
    return question
  }
  const ask = (question: Question) =>
    reuse.find({
      ...{ questionId: question.id, database: question.database, schemaVersion: 'v1' },
      ...{ question: question.text, selector: null },
    })
  /** Answers a question, and stores the answer for reuse as a run does. */
  const answer = async (given: Parameters<typeof keep>[0] = {}) => {
    const { store } = opened
    const question = await keep(given)
    const { key } = await ask(question)
    if (!key) throw new Error('the question has no key')
    await store.questionLog.begin(question.id, ['queued'])
    const resultId = await store.saveResult(question.id, rows)
    const ran = { ...ranWith('g'), resultId } as CandidateRun
    const candidate = makeCandidate({ id: '0/a/00', run: ran })
    await store.runStore.saveContext(question.id, {
      understanding: { kind: 'data', text: '', spans: [], today: '', timeZone: 'UTC' },
      matches: [],
      linked: { tables: [] },
    })
    await reuse.store(key, question.id)
    const outcome: Outcome = {
      ...{ status: 'answered', candidateId: candidate.id, resultId, sql: 'SELECT 7 AS n' },
      ...{ confidence: 0.9, headline: 'n: 7', assumptions: [] },
    }
    await store.questionLog.storeReport({
      ...{ questionId: question.id, outcome, candidates: [candidate], usage: noModelUsage },
    })
    return question
  }
  /** Every entry of the cache names this answer from now on. */
  const overwrite = async (questionId: string) => {
    const names = await redis.client.keys(`${prefix}answer:*`)
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) await redis.client.set(name, JSON.stringify({ questionId }))
  }
  const resultsOf = async (questionId: string) => opened.store.repositories.candidates.list(questionId)

  it('is answered if it is the right one', async () => {
    const first = await answer()
    await overwrite(first.id)
    const { answer: found } = await ask(await keep())
    expect(found).toMatchObject({ from: first.id, outcome: { cached: { readAt: now.toISOString() } } })
  })

  it.each([
    ['another database', { database: 'payroll' }],
    ['other rights', { database: 'warehouse|rights-of-the-board' }],
    ['another person with other rights', { askedBy: 'W9' }],
    ['another workspace', { team: 'T2' }],
    ['another question', { text: 'what does each of us earn?' }],
  ] as const)('is not answered if it is of %s', async (_, given) => {
    await answer()
    const foreign = await answer(given)
    await overwrite(foreign.id)
    const reader = await keep()
    const { key, answer: found } = await ask(reader)
    expect(found).toBeNull()
    // The question is answered as if there were no cache, and its answer can be reused again.
    expect(key).not.toBeNull()
    expect(await resultsOf(reader.id)).toEqual([])
  })

  it.each(['nothing', '00000000-0000-4000-8000-000000000000', "' or true --"])(
    'is not answered if it is none: %s',
    async id => {
      await answer()
      await overwrite(id)
      expect(await ask(await keep())).toMatchObject({ key: expect.anything(), answer: null })
    },
  )

  it('is not answered under an entry that was copied from another', async () => {
    const foreign = await answer({ database: 'payroll' })
    const [entry] = await redis.client.keys(`${prefix}answers-of:${foreign.id}`)
    const [name] = await redis.client.sMembers(entry ?? '')
    const stolen = (await redis.client.get(name ?? '')) ?? ''
    await answer()
    for (const one of await redis.client.keys(`${prefix}answer:*`)) await redis.client.set(one, stolen)
    expect(await ask(await keep())).toMatchObject({ answer: null })
  })
})
