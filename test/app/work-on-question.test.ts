import { expect, it } from 'vitest'
import { makeWorkOnQuestions } from '../../src/app/work-on-question.ts'
import type { AnswerReport } from '../../src/core/answer.ts'
import type { PlacedQuestion } from '../../src/core/delivery.ts'
import { silentLog } from '../../src/core/log.ts'
import { noUsage } from '../../src/core/usage.ts'

const placed: PlacedQuestion = {
  question: {
    id: 'q',
    key: 'k',
    text: 'how many tents?',
    database: 'shop',
    askedAt: new Date(0),
    timeZone: 'UTC',
    askedBy: 'U1',
  },
  place: { team: 'T', channel: 'C', thread: '1.0', message: '1.0' },
}

const asked: AnswerReport = {
  questionId: 'q',
  outcome: { status: 'needs-clarification', clarification: { question: '?', options: [], defaultOption: 0 } },
  candidates: [],
  usage: noUsage,
}

const working = (
  answer: () => Promise<AnswerReport>,
  given: { replied?: boolean; finish?: () => Promise<void> } = {},
) => {
  const done: string[] = []
  const work = makeWorkOnQuestions({
    findPlaced: async () => placed,
    hasReply: async () => given.replied ?? false,
    answer,
    resume: answer,
    keepReport: async ({ outcome }) => void done.push(`kept ${outcome.status}`),
    log: silentLog,
    sendExpiry: async () => void done.push('expiry sent'),
    delivery: {
      begin: async () => void done.push('begun'),
      progress: () => {},
      finish: async (_placed, { outcome }) => {
        await given.finish?.()
        done.push(`shown ${outcome.status}`)
      },
      settle: async () => {},
      refresh: async () => {},
    },
  })
  const run = (attempt: { lastAttempt: boolean; signal?: AbortSignal }) =>
    work.question({ questionId: 'q' }, { signal: new AbortController().signal, ...attempt })
  return { done, run }
}

it('shows that work began, then the outcome, and lets a question back expire', async () => {
  const { done, run } = working(async () => asked)
  await run({ lastAttempt: false })
  expect(done).toEqual(['begun', 'shown needs-clarification', 'expiry sent'])
})

it('leaves a failure to the next attempt', async () => {
  const { done, run } = working(() => Promise.reject(new Error('the store is away')))
  await expect(run({ lastAttempt: false })).rejects.toThrow('the store is away')
  expect(done).toEqual(['begun'])
})

it('says so when the last attempt failed', async () => {
  const { done, run } = working(() => Promise.reject(new Error('the store is away')))
  await run({ lastAttempt: true })
  expect(done).toEqual(['begun', 'kept failed', 'shown failed'])
})

it('lets a kept outcome stand when only showing it failed', async () => {
  const { done, run } = working(async () => asked, {
    finish: () => Promise.reject(new Error('Slack is away')),
  })
  await expect(run({ lastAttempt: true })).rejects.toThrow('Slack is away')
  expect(done).toEqual(['begun'])
})

it('leaves a question that has its reply to the job of the reply', async () => {
  const { done, run } = working(async () => asked, { replied: true })
  await run({ lastAttempt: false })
  expect(done).toEqual([])
})
