import { describe, expect, it } from 'vitest'
import type { AnswerReport } from '../../src/domain/answer.ts'
import { noModelUsage } from '../../src/domain/operations/usage.ts'
import type { Question, QuestionLog } from '../../src/domain/question.ts'
import { withQuestionMetrics } from '../../src/telemetry/instrumentation.ts'

const question: Question = {
  ...{ id: 'q', key: 'q', text: 'How many?', database: 'shop', timeZone: 'UTC', askedBy: 'U1' },
  askedAt: new Date('2026-03-02T10:00:00Z'),
}

const failed: AnswerReport = {
  ...{ questionId: 'q', candidates: [], usage: noModelUsage },
  outcome: { status: 'failed', why: { code: 'written', reason: 'it broke', nextStep: 'Ask again.' } },
}

const open = (given: Partial<QuestionLog> = {}) => {
  const ended: unknown[] = []
  const clock = { now: new Date('2026-03-02T10:00:04Z') }
  const questions = withQuestionMetrics(
    {
      begin: async () => ({ begun: true }),
      storeReport: async () => true,
      endStop: async () => ({ by: 'U2', isFirst: true }),
      lastOutcome: async () => null,
      load: async () => question,
      ...given,
    },
    {
      metrics: { questionEnded: one => void ended.push(one) },
      now: () => clock.now,
      isPlaced: async () => true,
    },
  )
  return { questions, ended, clock }
}

describe('outcomes of questions', () => {
  it('are counted when they are kept, with the time since the asking', async () => {
    const { questions, ended } = open()
    await questions.begin('q', ['queued', 'working'])
    expect(await questions.storeReport(failed)).toBe(true)
    expect(ended).toEqual([{ outcome: 'failed', from: 'slack', milliseconds: 4000, cached: false }])
  })

  it('are timed from the reply where there was one', async () => {
    const { questions, ended, clock } = open()
    clock.now = new Date('2026-03-02T15:00:00Z')
    await questions.begin('q', ['queued', 'working', 'waiting'])
    clock.now = new Date('2026-03-02T15:00:01Z')
    await questions.storeReport(failed)
    expect(ended).toMatchObject([{ milliseconds: 1000 }])
  })

  it('mark reused answers, and time reruns from the start of the work', async () => {
    const { questions, ended, clock } = open({ load: async () => ({ ...question, fresh: true }) })
    clock.now = new Date('2026-03-02T15:00:00Z')
    await questions.begin('q', ['queued', 'working'])
    clock.now = new Date('2026-03-02T15:00:01Z')
    await questions.storeReport({
      ...failed,
      outcome: {
        ...{ status: 'answered', candidateId: 'c', resultId: 'r', sql: 'SELECT 1', confidence: 1 },
        ...{ headline: '1', assumptions: [], cached: { from: 'p', readAt: '2026-03-02T14:00:00.000Z' } },
      },
    })
    expect(ended).toEqual([{ outcome: 'answered', from: 'slack', milliseconds: 1000, cached: true }])
  })

  it('are not counted when somebody else was faster', async () => {
    const { questions, ended } = open({ storeReport: async () => false })
    await questions.begin('q', ['queued'])
    expect(await questions.storeReport(failed)).toBe(false)
    expect(ended).toEqual([])
  })

  it('count a stop once, no matter who ends it, even if nobody worked on it', async () => {
    let isFirst = true
    const { questions, ended } = open({ endStop: async () => ({ by: 'U2', isFirst }) })
    await questions.endStop('q')
    isFirst = false
    await questions.endStop('q')
    await questions.begin('q', ['queued'])
    await questions.endStop('q')
    expect(ended).toMatchObject([{ outcome: 'stopped' }])
  })

  it('never fail because they cannot be counted', async () => {
    const { questions } = open({ load: () => Promise.reject(new Error('away')) })
    expect(await questions.storeReport(failed)).toBe(true)
  })
})
