import { describe, expect, it } from 'vitest'
import { makePostReview } from '../../src/answering/request-review.ts'
import type { ReviewDecision, ReviewRequest } from '../../src/domain/feedback.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'

const asked: ReviewRequest = {
  questionId: 'q',
  channel: 'C9',
  sql: 'select 1',
  resultId: 'r',
  headline: 'boats: 2',
  askedBy: 'U1',
  askedAt: new Date(0),
  decided: null,
}

const decided = (decision: ReviewDecision): ReviewRequest => ({
  ...asked,
  decided: { decision, by: 'U2', at: new Date(1), reason: null },
})

const carryOut = async (
  request: ReviewRequest,
  given: { withdrawn?: boolean; reachable?: boolean; asker?: string; admin?: string } = {},
) => {
  const done: string[] = []
  const note = (what: string) => async () => void done.push(what)
  await makePostReview({
    findRequest: async () => request,
    isWithdrawn: async () => given.withdrawn ?? false,
    removeRequest: note('request removed'),
    proposeVerified: async ({ person, status, sql }) => {
      done.push(`${status} by ${person}: ${sql}`)
      return { status: 'taken' }
    },
    findAsker: async () => given.asker ?? null,
    isAdmin: person => person === given.admin,
    channel: {
      show: async () => {
        done.push('shown at the desk')
        return given.reachable ?? true
      },
      notifyUnavailable: note('apologised'),
      notifyDecision: note('thread told'),
    },
    refresh: note('answer shown'),
    log: silentLog,
  })({ questionId: 'q', step: request.decided ? 'decided' : 'asked' }, new AbortController().signal)
  return done
}

describe('a review request', () => {
  it('is shown, or removed with a notice if nobody can be reached', async () => {
    expect(await carryOut(asked)).toEqual(['shown at the desk'])
    expect(await carryOut(asked, { reachable: false })).toEqual([
      'shown at the desk',
      'apologised',
      'request removed',
    ])
  })

  it('is carried out as decided, and saves the reviewed SQL, which waits for an admin if it is one’s own', async () => {
    expect(await carryOut(decided('approved'))).toEqual([
      'shown at the desk',
      'accepted by U2: select 1',
      'answer shown',
      'thread told',
    ])
    const own = decided('approved')
    const waits = expect.arrayContaining(['proposed by U2: select 1'])
    expect(await carryOut(own, { asker: 'U2' })).toEqual(waits)
    expect(await carryOut({ ...own, askedBy: 'U2' })).toEqual(waits)
    expect(await carryOut(own, { asker: 'U2', admin: 'U2' })).not.toEqual(waits)
    expect(await carryOut(decided('rejected'))).toEqual(['shown at the desk', 'answer shown', 'thread told'])
  })

  it('posts nothing in the thread of a withdrawn question', async () => {
    expect(await carryOut(asked, { withdrawn: true })).toEqual([])
    expect(await carryOut(decided('rejected'), { withdrawn: true })).toEqual(['shown at the desk'])
  })
})
