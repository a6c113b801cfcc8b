import { describe, expect, it } from 'vitest'
import { makeWorkOnQuestions } from '../../src/answering/work-on-question.ts'
import type { AnswerReport, AnswerRunOptions, Outcome } from '../../src/domain/answer.ts'
import { QuerentError } from '../../src/domain/errors.ts'
import type { LocatedQuestion } from '../../src/domain/message.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { noModelUsage } from '../../src/domain/operations/usage.ts'

const placed: LocatedQuestion = {
  question: {
    id: 'q',
    key: 'k',
    text: 'how many tents?',
    database: 'shop',
    askedAt: new Date(0),
    timeZone: 'UTC',
    askedBy: 'U1',
  },
  location: { team: 'T', channel: 'C', thread: '1.0', message: '1.0' },
}

const reportOf = (outcome: Outcome): AnswerReport => ({
  questionId: 'q',
  outcome,
  candidates: [],
  usage: noModelUsage,
})

const asked = reportOf({
  status: 'needs-clarification',
  clarification: { question: '?', options: [], defaultOption: 0 },
})

const refused = reportOf({
  status: 'refused',
  why: { code: 'written', reason: 'no tents', nextStep: 'ask for boats' },
})

type Given = {
  /** Whether the question has its reply, each time this is asked. */
  replied?: () => boolean
  finish?: () => Promise<void>
  /** Who stopped it, from when on; null while nobody did. */
  stoppedBy?: () => string | null
  lastOutcome?: Outcome
}

const working = (answer: (options: AnswerRunOptions) => Promise<AnswerReport>, given: Given = {}) => {
  const done: string[] = []
  const stop = new AbortController()
  const work = makeWorkOnQuestions({
    findPlaced: async () => placed,
    hasReply: async () => given.replied?.() ?? false,
    answer: (_question, options = {}) => answer(options),
    resume: (_id, _reply, options = {}) => answer(options),
    questions: {
      storeReport: async ({ outcome }) => {
        done.push(`kept ${outcome.status}`)
        return true
      },
      endStop: async () => {
        const by = given.stoppedBy?.() ?? null
        return by === null ? null : { by, isFirst: true }
      },
      lastOutcome: async () => given.lastOutcome ?? null,
    },
    watchStop: () => ({ signal: stop.signal, close: () => void done.push('unwatched') }),
    isPermanent: error => error instanceof QuerentError && error.code === 'bad-configuration',
    log: silentLog,
    sendExpiry: async () => void done.push('expiry sent'),
    delivery: {
      acknowledge: () => {},
      begin: async () => void done.push('begun'),
      progress: () => {},
      finish: async (_placed, { outcome }) => {
        await given.finish?.()
        done.push(`shown ${outcome.status}`)
      },
      stopped: async (_placed, by) => void done.push(`shown stopped by ${by}`),
      settle: async () => {},
      refresh: async () => {},
      share: async () => ({ kind: 'everyone' }),
      withhold: async () => {},
      remove: async () => {},
    },
  })
  const run = (attempt: { lastAttempt: boolean; signal?: AbortSignal }) =>
    work.question({ questionId: 'q' }, { signal: new AbortController().signal, ...attempt })
  return { done, run, stop, work }
}

describe('a question', () => {
  it('shows progress, then its outcome; a clarification can expire', async () => {
    const { done, run } = working(async () => asked)
    await run({ lastAttempt: false })
    expect(done).toEqual(['begun', 'shown needs-clarification', 'expiry sent', 'unwatched'])
  })

  it('is left to the next attempt if it failed', async () => {
    const { done, run } = working(() => Promise.reject(new Error('the store is away')))
    await expect(run({ lastAttempt: false })).rejects.toThrow('the store is away')
    expect(done).toEqual(['begun', 'unwatched'])
  })

  it('shows a failure after the last attempt', async () => {
    const { done, run } = working(() => Promise.reject(new Error('the store is away')))
    await run({ lastAttempt: true })
    expect(done).toEqual(['begun', 'kept failed', 'shown failed', 'unwatched'])
  })

  it('shows a failure at once if retrying cannot help', async () => {
    const { done, run } = working(() =>
      Promise.reject(new QuerentError('bad-configuration', 'set the address of the database')),
    )
    await run({ lastAttempt: false })
    expect(done).toEqual(['begun', 'kept failed', 'shown failed', 'unwatched'])
  })

  it('keeps its outcome if only showing it failed', async () => {
    const { done, run } = working(async () => asked, {
      finish: () => Promise.reject(new Error('Slack is away')),
    })
    await expect(run({ lastAttempt: true })).rejects.toThrow('Slack is away')
    expect(done).toEqual(['begun', 'unwatched'])
  })

  it("is left to the reply's job once it has a reply", async () => {
    const { done, run } = working(async () => asked, { replied: () => true })
    await run({ lastAttempt: false })
    expect(done).toEqual([])
  })

  it("shows the reply's outcome if the reply came before the clarification was shown", async () => {
    let looks = 0
    const { done, run } = working(async () => asked, {
      replied: () => looks++ > 0,
      lastOutcome: refused.outcome,
    })
    await run({ lastAttempt: false })
    expect(done).toEqual(['begun', 'shown needs-clarification', 'expiry sent', 'shown refused', 'unwatched'])
  })

  it('is left unchanged if another worker ended it', async () => {
    const { done, run } = working(() => Promise.reject(new QuerentError('cancelled', 'ended elsewhere')))
    await run({ lastAttempt: false })
    expect(done).toEqual(['begun', 'unwatched'])
  })

  it('is handed back when its process stops', async () => {
    const leaving = AbortSignal.abort(new QuerentError('cancelled', 'the process is stopping'))
    const { run } = working(({ signal }) => Promise.reject(signal?.reason))
    await expect(run({ lastAttempt: false, signal: leaving })).rejects.toMatchObject({ code: 'cancelled' })
  })
})

describe('a stopped question', () => {
  it('is not worked on when its turn comes', async () => {
    const { done, run } = working(async () => asked, { stoppedBy: () => 'U2' })
    await run({ lastAttempt: false })
    expect(done).toEqual(['shown stopped by U2', 'unwatched'])
  })

  it('aborts running work, and says who stopped it', async () => {
    let by: string | null = null
    const { done, run, stop } = working(
      ({ signal }) =>
        new Promise((_, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason))
          by = 'U2'
          stop.abort(new QuerentError('cancelled', 'the question was stopped'))
        }),
      { stoppedBy: () => by },
    )
    await run({ lastAttempt: true })
    expect(done).toEqual(['begun', 'shown stopped by U2', 'unwatched'])
  })

  it('is ended by the stop job if no worker has it', async () => {
    const { done, work } = working(async () => asked, { stoppedBy: () => 'U2' })
    await work.stop({ questionId: 'q' })
    expect(done).toEqual(['shown stopped by U2'])
  })

  it('is left unchanged by the stop job if it was answered first', async () => {
    const { done, work } = working(async () => asked)
    await work.stop({ questionId: 'q' })
    expect(done).toEqual([])
  })
})
