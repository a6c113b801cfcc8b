import { describe, expect, it } from 'vitest'
import { makeRestorePreviousAnswer } from '../../src/answering/rerun-question.ts'
import type { AnswerReport, Outcome } from '../../src/domain/answer.ts'
import type { Delivery } from '../../src/domain/message.ts'
import type { Tx } from '../../src/domain/operations/jobs.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { noModelUsage } from '../../src/domain/operations/usage.ts'
import { formatRerunKey, previousQuestionId } from '../../src/domain/question.ts'
import { makeQuestion } from '../store/setup/make-question.ts'

const failed: Outcome = {
  status: 'failed',
  why: { code: 'written', reason: 'The database is away.', nextStep: 'Ask again.' },
}

const refused: Outcome = {
  status: 'refused',
  why: { code: 'written', reason: 'The database is away.', nextStep: 'Ask again.' },
}

const asking: Outcome = {
  status: 'needs-clarification',
  clarification: { question: 'Which?', options: [], defaultOption: 0 },
}

const report = (outcome: Outcome): AnswerReport => ({
  ...{ questionId: 'again', outcome, candidates: [], usage: noModelUsage },
})

/** A question `again` that has taken over the message of `before`. */
const open = (given: { key?: string; isKept?: boolean; withdrawn?: string[]; owner?: string } = {}) => {
  const withdrawn = new Set(given.withdrawn ?? ['before'])
  const state = { owner: given.owner ?? 'again' }
  const done: string[] = []
  const delivery: Delivery = {
    acknowledge: () => {},
    begin: async () => {},
    progress: () => {},
    settle: async id => void done.push(`settled ${id}`),
    finish: async (_, { outcome }) => void done.push(outcome.status),
    stopped: async () => void done.push('stopped'),
    refresh: async id => void done.push(`shown ${id}`),
    share: async () => ({ kind: 'everyone' }),
    withhold: async () => {},
    remove: async () => {},
  }
  const keeping = makeRestorePreviousAnswer(delivery, {
    inTransaction: work => work({} as Tx),
    canBeShown: async () => given.isKept ?? true,
    withdraw: async id => !withdrawn.has(id) && withdrawn.add(id).has(id),
    isWithdrawn: async id => withdrawn.has(id),
    reinstate: async id => void withdrawn.delete(id),
    handOver: async (from, to) => {
      if (state.owner !== from) return false
      state.owner = to
      return true
    },
    notifyPrivately: async (_, person, { reason }) => void done.push(`told ${person}: ${reason}`),
    log: silentLog,
  })
  const key = given.key ?? formatRerunKey({ key: 'T:C:1.0', id: 'before' }, 'r1')
  const question = { ...makeQuestion(), id: 'again', key, askedBy: 'ada', runBy: 'bob' }
  const placed = { question, location: { team: 'T', channel: 'C', thread: '1.0', message: '1.0' } }
  return { keeping, placed, done, withdrawn, state }
}

const told = "told bob: I couldn't run this again, so the answer is unchanged. The database is away."

describe('a rerun answer', () => {
  it.each([
    ['fails', failed],
    ['is refused', refused],
  ])('is restored if the rerun %s, and the person who clicked is told', async (_, outcome) => {
    const { keeping, placed, done, withdrawn, state } = open()
    await keeping.finish(placed, report(outcome))
    expect(done).toEqual(['settled again', 'shown before', told])
    expect([[...withdrawn], state.owner]).toEqual([['again'], 'before'])
  })

  it('is restored if the rerun is stopped', async () => {
    const { keeping, placed, done } = open()
    await keeping.stopped(placed, 'bob')
    expect(done).toEqual(['settled again', 'shown before'])
  })

  it('is shown by the next attempt if one died after restoring it', async () => {
    for (const outcome of [failed, asking]) {
      const { keeping, placed, done } = open({ withdrawn: ['again'], owner: 'before' })
      await keeping.finish(placed, report(outcome))
      expect(done.slice(0, 2)).toEqual(['settled again', 'shown before'])
    }
  })

  it('is replaced by a clarification', async () => {
    const { keeping, placed, done } = open()
    await keeping.finish(placed, report(asking))
    expect(done).toEqual(['needs-clarification'])
  })

  it.each([
    ['its rows are gone', { isKept: false }],
    ['the message was edited or deleted meanwhile', { withdrawn: ['before', 'again'], owner: 'third' }],
    ['it had no message yet', { owner: 'nobody' }],
    ['it is no second run', { key: 'T:C:1.0' }],
  ])('is not restored if %s', async (_, given) => {
    const { keeping, placed, done, withdrawn } = open(given)
    await keeping.finish(placed, report(failed))
    expect(done).toEqual(['failed'])
    expect(withdrawn.has('before')).toBe(true)
  })

  it('has its own key, which names the question it replaced', () => {
    const first = formatRerunKey({ key: 'T:C:1.0#2.0', id: 'q1' }, 'r1')
    const second = formatRerunKey({ key: first, id: 'q2' }, 'r2')
    expect([first, second].map(previousQuestionId)).toEqual(['q1', 'q2'])
    expect(second).toBe('T:C:1.0#2.0~q2~r2')
    expect(previousQuestionId('T:C:1.0#2.0')).toBeNull()
  })
})
