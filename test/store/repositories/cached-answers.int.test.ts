import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/domain/answer.ts'
import { noModelUsage } from '../../../src/domain/operations/usage.ts'
import type { ResultTable } from '../../../src/domain/result.ts'
import { makeCandidate } from '../../helpers/make-candidate.ts'
import { makeQuestion } from '../setup/make-question.ts'
import { openTestStore } from '../setup/open-test-store.ts'

const table: ResultTable = {
  columns: [{ name: 'n', kind: 'integer' }],
  rows: [[7n]],
  truncated: null,
  milliseconds: 1,
}

const now = new Date('2026-11-22T10:00:00Z')

let opened: Awaited<ReturnType<typeof openTestStore>>

beforeAll(async () => {
  opened = await openTestStore({ now: () => now })
})

afterAll(() => opened?.[Symbol.asyncDispose]())

const key = {
  ...{ database: 'warehouse', schemaVersion: 'v', question: 'how many', answeredBy: 'a model', rights: 'r' },
}

const record = (questionId: string, expiresAt = new Date(now.getTime() + 60_000)) =>
  opened.store.repositories.cachedAnswers.record({ questionId, key, readAt: now, expiresAt })

/** A question that was answered, and can be reused; with `cached`, by an answer of another one. */
const answered = async (cached?: { readonly from: string; readonly readAt: string }): Promise<string> => {
  const { store } = opened
  const id = randomUUID()
  const place = { team: 'T', channel: 'C', thread: id, message: id }
  await store.repositories.questions.insert(makeQuestion({ id, key: id }), place)
  await store.questionLog.begin(id, ['queued'])
  await record(id)
  const resultId = await store.saveResult(id, table)
  const outcome: Outcome = {
    ...{ status: 'answered', candidateId: 'c', resultId, sql: 'SELECT 7 AS n', confidence: 0.9 },
    ...{ headline: 'n: 7', assumptions: [], ...(cached && { cached }) },
  }
  const candidates = [makeCandidate({ id: 'c' })]
  await store.questionLog.storeReport({ questionId: id, outcome, candidates, usage: noModelUsage })
  return id
}

const isReusable = async (questionId: string, given: Partial<typeof key & { team: string }> = {}) => {
  const { team = 'T', ...parts } = given
  const asked = { questionId, key: { ...key, ...parts }, team }
  return (await opened.store.repositories.cachedAnswers.findReusable(asked, now)) !== null
}

const shownFrom = (from: string) => answered({ from, readAt: '2026-11-22T09:48:00.000Z' })

/** What people do that ends it. */
const faults: Readonly<Record<string, (id: string) => Promise<unknown>>> = {
  'a thumb down': async id => {
    const { answers, votes } = opened.store.repositories
    const runId = (await answers.find(id))?.runId ?? ''
    await votes.upsert({ questionId: id, person: 'U2', vote: 'down', runId, candidateId: 'c' })
  },
  'an edit': async id => {
    const resultId = await opened.store.saveResult(id, table)
    const changed = { sql: 'SELECT 8 AS n', resultId, headline: 'n: 8', assumptions: [], madeAt: now }
    await opened.store.repositories.answerRevisions.insert(
      { questionId: id, kind: 'edited', person: 'U2', candidateId: null, ...changed },
      randomUUID(),
    )
  },
  'a rejection': async id => {
    const { reviewRequests: humanRequests } = opened.store.repositories
    const answer = await opened.store.repositories.answers.find(id)
    const { sql = '', resultId = '', headline = '' } = answer ?? {}
    await opened.store.inTransaction(async tx => {
      const request = { questionId: id, channel: 'C9', sql, resultId, headline, askedBy: 'U1', askedAt: now }
      await humanRequests.insert(request, tx)
      await humanRequests.decide(id, { decision: 'rejected', by: 'U3', at: now, reason: 'no' }, tx)
    })
  },
}

describe('an answer', () => {
  it('can be reused unless it was criticized; a thumbs up is no criticism', async () => {
    const id = await answered()
    const { answers, votes } = opened.store.repositories
    const runId = (await answers.find(id))?.runId ?? ''
    await votes.upsert({ questionId: id, person: 'U2', vote: 'up', runId, candidateId: 'c' })
    expect(await isReusable(id)).toBe(true)
  })

  it('knows when its rows were read', async () => {
    const questionId = await answered()
    const { cachedAnswers } = opened.store.repositories
    expect(await cachedAnswers.findReusable({ questionId, key, team: 'T' }, now)).toEqual(now)
  })

  it.each(['database', 'schemaVersion', 'question', 'answeredBy', 'rights', 'team'] as const)(
    'cannot be reused for another %s',
    async part => {
      expect(await isReusable(await answered(), { [part]: 'another' })).toBe(false)
    },
  )

  it('cannot be reused once that has expired, nor if it was never recorded', async () => {
    const id = await answered()
    await record(id, now)
    expect(await isReusable(id)).toBe(false)
    const { cachedAnswers } = opened.store.repositories
    const kept = await answered()
    expect(await cachedAnswers.purgeExpired(now)).toBeGreaterThan(0)
    expect(await isReusable(kept)).toBe(true)
    await record(id)
    expect(await isReusable(id)).toBe(true)
    await record(id, now)
    await cachedAnswers.purgeExpired(now)
    expect(await isReusable(id)).toBe(false)
  })

  it.each(Object.entries(faults))(
    'cannot be reused after %s, there or where it was reused',
    async (_, fault) => {
      const here = await answered()
      await fault(here)
      expect(await isReusable(here)).toBe(false)

      const source = await answered()
      const copy = await shownFrom(source)
      expect(await isReusable(source)).toBe(true)
      await fault(copy)
      expect(await isReusable(source)).toBe(false)
    },
  )

  it('cannot be reused if its question was withdrawn, is running, or is unknown', async () => {
    const { questions } = opened.store.repositories
    const taken = await answered()
    await questions.withdraw(taken)
    expect(await isReusable(taken)).toBe(false)
    const worked = await answered()
    await questions.setStatus(worked, 'working')
    expect(await isReusable(worked)).toBe(false)
    expect(await isReusable(randomUUID())).toBe(false)
  })

  it('that is reused knows its source and when its rows were read, and is no source itself', async () => {
    const { answers, cachedAnswers } = opened.store.repositories
    const source = await answered()
    const copy = await shownFrom(source)
    expect(await cachedAnswers.sourceOf(copy)).toBe(source)
    expect(await cachedAnswers.sourceOf(source)).toBeNull()
    expect((await answers.find(copy))?.readAt).toEqual(new Date('2026-11-22T09:48:00.000Z'))
    expect(await isReusable(copy)).toBe(false)
  })

  it('outlives the question it came from, rows and all', async () => {
    const { store } = opened
    const { answers, cachedAnswers, questions } = store.repositories
    const source = await answered()
    const copy = await shownFrom(source)
    const from = (await answers.find(source))?.resultId ?? ''
    const to = randomUUID()
    expect(await cachedAnswers.copyResult({ from, to, questionId: copy }, now)).toBe(true)
    expect(await questions.remove(source)).toBe(true)
    expect(await store.loadResult(to)).toMatchObject({ rows: [[7n]] })
    expect(await answers.find(copy)).toMatchObject({ readAt: new Date('2026-11-22T09:48:00.000Z') })
    // A source that is gone before the answer is kept is no reason to fail.
    const late = await shownFrom(source)
    expect(await cachedAnswers.sourceOf(late)).toBeNull()
  })

  it('is not copied if its rows have expired', async () => {
    const { answers, cachedAnswers } = opened.store.repositories
    const source = await answered()
    const from = (await answers.find(source))?.resultId ?? ''
    const later = new Date(now.getTime() + 365 * 86_400_000)
    expect(await cachedAnswers.copyResult({ from, to: randomUUID(), questionId: source }, later)).toBe(false)
  })
})
