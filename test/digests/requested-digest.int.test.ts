import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeAskQuestion } from '../../src/answering/ask-question.ts'
import { makeScheduleRequestedDigest } from '../../src/digests/requested-digest.ts'
import type { DigestRequestOutcome } from '../../src/domain/digests/use-cases.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import type { QuestionStatus } from '../../src/domain/question.ts'
import { makeQuestion } from '../store/setup/make-question.ts'
import { openDigestSetup } from './open-digest-setup.ts'

/** Digests that are wanted together with their question, on a real store and a real database. */

let setup: Awaited<ReturnType<typeof openDigestSetup>>

beforeAll(async () => {
  setup = await openDigestSetup()
})

afterAll(() => setup?.[Symbol.asyncDispose]())

const location = { team: 'T1', channel: 'C1', thread: '1', message: '1' }

const digest = {
  schedule: 'mondays 09:00',
  timeZone: null,
  target: { kind: 'channel', channel: 'C1' },
} as const

/** What was told, and what happens when it is told. */
const told: DigestRequestOutcome[] = []

let beforeTold = async (): Promise<void> => {}

const carryOut = (questionId: string, lastAttempt = false): Promise<void> => {
  const { digestRequests: digestWishes, questions } = setup.store.repositories
  return makeScheduleRequestedDigest({
    findRequest: id => digestWishes.find(id),
    removeRequest: id => digestWishes.remove(id),
    findPlaced: async id => {
      const question = await questions.find(id)
      return question && { question, location }
    },
    schedule: setup.useCases.schedule,
    tell: async (_, outcome) => {
      await beforeTold()
      told.push(outcome)
    },
    isPermanent: error => error instanceof Error && error.message === 'gone',
    now: () => setup.fakes.now,
    log: silentLog,
  })({ questionId }, { lastAttempt })
}

/** A question with a wish, as it stands. */
const wish = async (status: QuestionStatus): Promise<string> => {
  const { questions, digestRequests: digestWishes } = setup.store.repositories
  const questionId = await setup.answer('Hires', 'select sum(n) as hires from hires')
  await questions.setStatus(questionId, status)
  await digestWishes.insert({ questionId, person: 'U1', digest, madeAt: setup.fakes.now })
  return questionId
}

const isOpen = async (questionId: string): Promise<boolean> =>
  (await setup.store.repositories.digestRequests.find(questionId)) !== null

const digests = () => setup.store.repositories.digests.listAll(10)

beforeEach(async () => {
  told.length = 0
  beforeTold = async () => {}
  setup.fakes.access = () => ({ status: 'allowed', database: 'cycles' })
  setup.fakes.isAway = false
  setup.fakes.now = new Date('2026-11-23T07:00:00Z')
  setup.fakes.limit = async () => null
  for (const { id } of await digests()) await setup.store.repositories.digests.remove(id)
})

describe('a requested digest', () => {
  it('is stored with its question, or not at all', async () => {
    const { store } = setup
    const { questions, digestRequests: digestWishes } = store.repositories
    let refusal: Awaited<ReturnType<Parameters<typeof makeAskQuestion>[0]['limit']>> = null
    const question = makeQuestion({ database: 'cycles' })
    const ask = makeAskQuestion({
      admit: async () => ({ status: 'admitted', database: 'cycles' }),
      inTransaction: store.inTransaction,
      storeQuestion: async (_, tx) => ((await questions.insert(question, location, tx)) ? question.id : null),
      limit: async () => refusal,
      claim: async () => true,
      storeDigestRequest: (wish, tx) => digestWishes.insert(wish, tx),
    })
    const asked = { text: question.text, location, askedBy: 'U1', askedAt: question.askedAt, digest }
    refusal = { status: 'not-allowed', reason: 'Too much.', nextStep: 'Wait.' }
    expect(await ask(asked)).toEqual(refusal)
    expect(await isOpen(question.id)).toBe(false)
    refusal = null
    expect(await ask(asked)).toEqual({ status: 'asked', questionId: question.id })
    expect(await ask(asked)).toEqual({ status: 'known' })
    expect(await digestWishes.find(question.id)).toEqual({
      request: { questionId: question.id, person: 'U1', digest, madeAt: question.askedAt },
      ended: null,
    })
    await digestWishes.remove(question.id)
  })

  it('is created with the requested condition', async () => {
    const { questions, digestRequests: digestWishes } = setup.store.repositories
    const questionId = await setup.answer('Hires', 'select sum(n) as hires from hires')
    await questions.setStatus(questionId, 'answered')
    const condition = { kind: 'moved', percent: 10 } as const
    const wished = { ...digest, timeZone: 'Asia/Tokyo', condition }
    await digestWishes.insert({ questionId, person: 'U1', digest: wished, madeAt: setup.fakes.now })
    await carryOut(questionId)
    expect(told).toMatchObject([{ status: 'scheduled', digest: { condition } }])
    expect(await digests()).toMatchObject([{ condition, schedule: { timeZone: 'Asia/Tokyo' } }])
  })

  it('waits as long as its question does', async () => {
    for (const status of ['queued', 'working', 'waiting', 'stopping'] as const) {
      const questionId = await wish(status)
      expect(await setup.store.repositories.digestRequests.listEnded(10)).toEqual([])
      await carryOut(questionId)
      expect(await isOpen(questionId)).toBe(true)
      await setup.store.repositories.digestRequests.remove(questionId)
    }
    expect(told).toEqual([])
  })

  it("is created once in the question's time zone, and removed after it was reported", async () => {
    const questionId = await wish('answered')
    expect(await setup.store.repositories.digestRequests.listEnded(10)).toEqual([questionId])
    beforeTold = async () => {
      throw new Error('Slack is away')
    }
    await expect(carryOut(questionId)).rejects.toThrow('away')
    expect(await isOpen(questionId)).toBe(true)
    // What was made already counts no second time.
    setup.fakes.limit = async () => ({ status: 'not-allowed', reason: 'Too much.', nextStep: 'Wait.' })
    beforeTold = async () => {}
    await carryOut(questionId)
    await carryOut(questionId)
    expect(told).toMatchObject([{ status: 'scheduled', next: { length: 3 } }])
    expect(await digests()).toMatchObject([
      { owner: 'U1', schedule: { cron: '0 9 * * 1', timeZone: 'Europe/Berlin' }, target: digest.target },
    ])
    expect(await isOpen(questionId)).toBe(false)
  })

  it('is reported and not created if the question has no answer', async () => {
    for (const end of ['refused', 'failed', 'stopped'] as const) await carryOut(await wish(end))
    const withdrawn = await wish('answered')
    await setup.store.repositories.questions.withdraw(withdrawn)
    await carryOut(withdrawn)
    expect(told).toEqual(
      ['refused', 'failed', 'stopped', 'withdrawn'].map(end => ({ status: 'unanswered', end })),
    )
    expect(await setup.store.repositories.digestRequests.listEnded(10)).toEqual([])
    expect(await digests()).toEqual([])
  })

  it('is refused with the reason', async () => {
    setup.fakes.access = () => ({ status: 'refused', code: 'guest', reason: 'No guests.', nextStep: 'Ask.' })
    const questionId = await wish('answered')
    await carryOut(questionId)
    expect(told).toMatchObject([{ status: 'unfit', refusal: { reason: 'No guests.' } }])
    expect(await isOpen(questionId)).toBe(false)
  })

  it('is retried while its database is unavailable, and given up in the end', async () => {
    const questionId = await wish('answered')
    setup.fakes.isAway = true
    await expect(carryOut(questionId)).rejects.toThrow('away')
    expect(told).toEqual([])
    await carryOut(questionId, true)
    expect(told).toEqual([{ status: 'broken' }])
    expect(await isOpen(questionId)).toBe(false)
  })

  it('is reported when Slack is back, but not forever, and leaves no dead job', async () => {
    beforeTold = async () => {
      throw new Error('Slack is away')
    }
    const questionId = await wish('refused')
    await expect(carryOut(questionId)).rejects.toThrow('away')
    await carryOut(questionId, true)
    expect(await setup.store.repositories.digestRequests.listEnded(10)).toEqual([questionId])
    setup.fakes.now = new Date('2026-11-24T07:00:01Z')
    await carryOut(questionId)
    expect(await isOpen(questionId)).toBe(false)
    expect(told).toEqual([])
  })

  it('is dropped if nobody can be told, and with its question', async () => {
    beforeTold = async () => {
      throw new Error('gone')
    }
    const questionId = await wish('refused')
    await carryOut(questionId)
    expect(await isOpen(questionId)).toBe(false)
    const other = await wish('waiting')
    await setup.store.repositories.questions.remove(other)
    expect(await isOpen(other)).toBe(false)
  })
})
