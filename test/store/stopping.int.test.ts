import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeStopQuestion } from '../../src/answering/stop-question.ts'
import type { AnswerReport, Outcome } from '../../src/domain/answer.ts'
import type { JobData, QueueName } from '../../src/domain/operations/jobs.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { noModelUsage } from '../../src/domain/operations/usage.ts'
import { makeStopSignals } from '../../src/store/stop-signals.ts'
import { makeQuestion } from './setup/make-question.ts'
import { openTestStore } from './setup/open-test-store.ts'

const refused: Outcome = {
  status: 'refused',
  why: { code: 'written', reason: 'no tents', nextStep: 'ask for boats' },
}

const askedBack: Outcome = {
  status: 'needs-clarification',
  clarification: { question: '?', options: [], defaultOption: 0 },
}

const reportOf = (questionId: string, outcome: Outcome): AnswerReport => ({
  questionId,
  outcome,
  candidates: [],
  usage: noModelUsage,
})

let opened: Awaited<ReturnType<typeof openTestStore>>

beforeAll(async () => {
  opened = await openTestStore()
})

afterAll(() => opened?.[Symbol.asyncDispose]())

const stored = async () => {
  const question = makeQuestion({ id: randomUUID(), key: randomUUID(), askedBy: 'U1' })
  const place = { team: 'T', channel: 'C', thread: question.key, message: question.key }
  await opened.store.repositories.questions.insert(question, place)
  return { question, place, id: question.id }
}

const statusOf = async (id: string) => (await opened.store.repositories.questions.find(id))?.status

const open = () => {
  const { store, url } = opened
  const { questions } = store.repositories
  return makeStopSignals({ url, questions, executeIn: store.executeIn, log: silentLog })
}

const stopper = (announce = async () => {}) => {
  const sent: { queue: QueueName; data: JobData[QueueName]; after: number | undefined }[] = []
  const { store } = opened
  const stop = makeStopQuestion({
    inTransaction: store.inTransaction,
    findPlaced: async id => {
      const question = await store.repositories.questions.find(id)
      return question?.place ? { question, location: question.place } : null
    },
    isAdmin: person => person === 'ADMIN',
    markStopping: store.repositories.questions.stop,
    announce,
    sendJob: async (queue, data, options) => {
      sent.push({ queue, data, after: options.startAfterSeconds })
    },
  })
  return { stop, sent }
}

describe('stopping a question', () => {
  it('in the queue leaves its end to a job that is due at once', async () => {
    const { id } = await stored()
    const { stop, sent } = stopper()
    expect(await stop({ questionId: id, person: 'U1' })).toBe('stopping')
    expect(sent).toEqual([{ queue: 'stop', data: { questionId: id }, after: undefined }])
    const { questionLog } = opened.store
    expect(await questionLog.begin(id, ['queued', 'working'])).toEqual({ begun: false, status: 'stopping' })
    expect(await questionLog.endStop(id)).toEqual({ by: 'U1', isFirst: true })
    expect(await statusOf(id)).toBe('stopped')
    expect(await questionLog.endStop(id)).toEqual({ by: 'U1', isFirst: false })
  })

  it('that is worked on gives the worker time to let go', async () => {
    const { id } = await stored()
    await opened.store.questionLog.begin(id, ['queued'])
    const { stop, sent } = stopper()
    expect(await stop({ questionId: id, person: 'ADMIN' })).toBe('stopping')
    expect(sent).toEqual([{ queue: 'stop', data: { questionId: id }, after: 15 }])
    expect(await opened.store.questionLog.storeReport(reportOf(id, refused))).toBe(false)
    expect(await opened.store.questionLog.endStop(id)).toEqual({ by: 'ADMIN', isFirst: true })
  })

  it('is for the person who asked and for admins', async () => {
    const { id } = await stored()
    const { stop, sent } = stopper()
    expect(await stop({ questionId: id, person: 'U2' })).toBe('not-allowed')
    expect(await statusOf(id)).toBe('queued')
    expect(sent).toEqual([])
  })

  it('that has ended, or is being stopped, does nothing', async () => {
    const { id } = await stored()
    await opened.store.questionLog.begin(id, ['queued'])
    await opened.store.questionLog.storeReport(reportOf(id, refused))
    const { stop, sent } = stopper()
    expect(await stop({ questionId: id, person: 'U1' })).toBe('over')
    expect(await statusOf(id)).toBe('refused')
    expect(await opened.store.questionLog.endStop(id)).toBeNull()
    const other = await stored()
    await stop({ questionId: other.id, person: 'U1' })
    expect(await stop({ questionId: other.id, person: 'U1' })).toBe('over')
    expect(await stop({ questionId: randomUUID(), person: 'U1' })).toBe('over')
    expect(sent).toHaveLength(1)
  })

  it('while it comes to its end has one of the two win, whichever', async () => {
    const { stop } = stopper()
    const won = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const { id } = await stored()
        await opened.store.questionLog.begin(id, ['queued'])
        const [reply, kept] = await Promise.all([
          stop({ questionId: id, person: 'U1' }),
          opened.store.questionLog.storeReport(reportOf(id, refused)),
        ])
        expect([reply === 'stopping', kept].filter(Boolean)).toHaveLength(1)
        expect(await statusOf(id)).toBe(kept ? 'refused' : 'stopping')
        return reply
      }),
    )
    expect(won).toHaveLength(24)
  })

  it('leaves no mark when its job cannot be sent', async () => {
    const { id } = await stored()
    const { store } = opened
    const stop = makeStopQuestion({
      inTransaction: store.inTransaction,
      findPlaced: async questionId => {
        const question = await store.repositories.questions.find(questionId)
        return question?.place ? { question, location: question.place } : null
      },
      isAdmin: () => false,
      markStopping: store.repositories.questions.stop,
      announce: async () => {},
      sendJob: () => Promise.reject(new Error('the queue is away')),
    })
    await expect(stop({ questionId: id, person: 'U1' })).rejects.toThrow('the queue is away')
    expect(await statusOf(id)).toBe('queued')
  })
})

describe('a question with a reply', () => {
  it('is not begun by the job that asked back, and no question back comes after its end', async () => {
    const { id } = await stored()
    const { questionLog, repositories } = opened.store
    await questionLog.begin(id, ['queued'])
    expect(await questionLog.storeReport(reportOf(id, askedBack))).toBe(true)
    await repositories.replies.insert(id, { kind: 'option', number: 1 }, 'U1')
    expect(await questionLog.begin(id, ['waiting'])).toEqual({ begun: true })
    // The job that asked back, tried again while the reply is worked on.
    expect(await questionLog.begin(id, ['queued', 'working'], { unlessReplied: true })).toEqual({
      begun: false,
      status: 'working',
    })
    expect(await questionLog.storeReport(reportOf(id, refused))).toBe(true)
    expect(await questionLog.storeReport(reportOf(id, askedBack))).toBe(false)
    expect(await statusOf(id)).toBe('refused')
    expect(await questionLog.lastOutcome(id)).toEqual(refused)
  })
})

describe('a stop', () => {
  it('is told by the board for notices, once it is committed, where nobody can listen', async () => {
    const { store, url } = opened
    const { questions } = store.repositories
    const published: string[] = []
    const hearers = new Set<(notice: { readonly questionId: string }) => void>()
    const signals = makeStopSignals({
      url,
      questions,
      // As with a pooler that passes no notification on.
      executeIn: async () => ({ rows: [] }),
      notices: {
        publish: async (_, notice) => {
          published.push((notice as { questionId: string }).questionId)
          for (const hear of hearers) hear(notice as { questionId: string })
        },
        subscribe: (_, hear) => {
          hearers.add(hear as never)
          return () => void hearers.delete(hear as never)
        },
      },
      log: silentLog,
    })
    try {
      const [{ id }, rolledBack] = [await stored(), await stored()]
      const watch = signals.watch(id)
      await store
        .inTransaction(async tx => {
          await signals.announce(rolledBack.id, tx)
          throw new Error('rolled back')
        })
        .catch(() => {})
      await store.inTransaction(async tx => {
        await questions.stop(id, 'U1', tx)
        await signals.announce(id, tx)
        expect(watch.signal.aborted).toBe(false)
      })
      await expect.poll(() => watch.signal.aborted, { timeout: 3_000 }).toBe(true)
      expect(published).toEqual([id])
    } finally {
      await signals.close()
    }
    expect(hearers.size).toBe(0)
  })

  it('reaches watchers in other processes once it is committed', async () => {
    const here = open()
    const there = open()
    try {
      const { id } = await stored()
      const other = await stored()
      const watch = there.watch(id)
      const unrelated = there.watch(other.id)
      // The connection that listens is made with the first watch; the look every few seconds covers for it.
      await expect
        .poll(async () => {
          await opened.store
            .inTransaction(async tx => {
              await here.announce(id, tx)
              throw new Error('rolled back')
            })
            .catch(() => {})
          return watch.signal.aborted
        })
        .toBe(false)
      await opened.store.inTransaction(async tx => {
        await opened.store.repositories.questions.stop(id, 'U1', tx)
        await here.announce(id, tx)
      })
      await expect.poll(() => watch.signal.aborted, { timeout: 10_000 }).toBe(true)
      expect(watch.signal.reason).toMatchObject({ code: 'cancelled' })
      expect(unrelated.signal.aborted).toBe(false)
      watch.close()
      unrelated.close()
    } finally {
      await here.close()
      await there.close()
    }
  })

  it('is seen by looking where no notification came', async () => {
    const signals = open()
    try {
      const { id } = await stored()
      const watch = signals.watch(id)
      await opened.store.repositories.questions.stop(id, 'U1')
      await expect.poll(() => watch.signal.aborted, { timeout: 15_000 }).toBe(true)
      watch.close()
    } finally {
      await signals.close()
    }
  })
})

describe('what was kept only to work on a question', () => {
  it('is to be forgotten once it has ended, and once', async () => {
    const { repositories, questionLog } = opened.store
    const ended = await stored()
    await questionLog.begin(ended.id, ['queued'])
    await questionLog.storeReport(reportOf(ended.id, refused))
    const waiting = await stored()
    await questionLog.begin(waiting.id, ['queued'])
    await questionLog.storeReport(reportOf(waiting.id, askedBack))
    const later = new Date(Date.now() + 60_000)
    const list = await repositories.questions.listToForget(later, 1_000)
    expect(list).toContain(ended.id)
    expect(list).not.toContain(waiting.id)
    expect(await repositories.questions.listToForget(new Date(Date.now() - 60_000), 1_000)).toEqual([])
    await repositories.questions.markForgotten(ended.id, later)
    expect(await repositories.questions.listToForget(later, 1_000)).not.toContain(ended.id)
  })
})
