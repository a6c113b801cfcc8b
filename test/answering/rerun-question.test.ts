import { describe, expect, it } from 'vitest'
import { makeStoreQuestion } from '../../src/answering/ask-question.ts'
import { makeRerunQuestion } from '../../src/answering/rerun-question.ts'
import { makeFindQuotaRefusal } from '../../src/budget/quota.ts'
import { SqlError } from '../../src/domain/errors.ts'
import type { LocatedQuestion } from '../../src/domain/message.ts'
import type { RunContext } from '../../src/domain/operations/audit.ts'
import type { Tx } from '../../src/domain/operations/jobs.ts'
import type { Question } from '../../src/domain/question.ts'

const placed: LocatedQuestion = {
  question: {
    ...{ id: 'q1', key: 'T1:C1:1.0', text: 'how many tents?', database: 'shop', timeZone: 'UTC' },
    ...{ askedAt: new Date(0), askedBy: 'ada' },
  },
  location: { team: 'T1', channel: 'C1', thread: '1.0', message: '1.0' },
}

const tooMuch = { status: 'not-allowed', reason: 'Too many clicks.', nextStep: 'Wait.' } as const

/** One answer that can be run again; `spent` have used up what may be read, `hasty` click too much. */
const answered = (given: { spent?: string[]; hasty?: string[]; failure?: Error } = {}) => {
  const stored: Question[] = []
  const groups: (string | undefined)[] = []
  const withdrawn: string[] = []
  const checked: RunContext[] = []
  const storeQuestion = makeStoreQuestion({
    insertQuestion: async question => {
      stored.push(question)
      return true
    },
    sendJob: async (_queue, _data, { group }) => void groups.push(group),
    newId: () => 'q2',
    timeZone: 'UTC',
  })
  const runAgain = makeRerunQuestion({
    findPlaced: async () => placed,
    findQuotaRefusal: makeFindQuotaRefusal(async context => {
      checked.push(context)
      if (given.failure) throw given.failure
      if (context.person !== null && given.spent?.includes(context.person))
        throw new SqlError('over-budget', 'The limit is reached: 5 rows were read for you today.')
    }),
    limit: async ({ person }) => (given.hasty?.includes(person) ? tooMuch : null),
    inTransaction: work => work({} as Tx),
    withdraw: async id => {
      withdrawn.push(id)
      return true
    },
    storeQuestion,
    handOver: async () => true,
    sendJob: () => Promise.reject(new Error('nothing is removed')),
    newId: () => 'r1',
  })
  return {
    stored,
    groups,
    withdrawn,
    checked,
    press: (person: string) => runAgain({ questionId: 'q1', person }),
  }
}

describe('running a question again', () => {
  it("runs with the asker's permissions, on the account of the person who clicks", async () => {
    const { stored, groups, withdrawn, checked, press } = answered()
    expect(await press('bob')).toEqual({ status: 'again' })
    expect(stored).toMatchObject([{ askedBy: 'ada', runBy: 'bob', fresh: true }])
    expect(groups).toEqual(['T1 bob'])
    expect(withdrawn).toEqual(['q1'])
    // It is a question of its own: what was read for the one before does not count.
    expect(checked).toEqual([
      { origin: 'question', person: 'bob', team: 'T1', channel: 'C1', questionId: null, digestId: null },
    ])
  })

  it('has one account if the asker clicks', async () => {
    const { stored, groups, press } = answered()
    await press('ada')
    expect(stored).toMatchObject([{ askedBy: 'ada' }])
    expect(stored[0]).not.toHaveProperty('runBy')
    expect(groups).toEqual(['T1 ada'])
  })

  it('leaves the answer unchanged if the person who clicks has used up their quota', async () => {
    const { stored, withdrawn, press } = answered({ spent: ['bob'] })
    expect(await press('bob')).toEqual({
      status: 'not-allowed',
      reason: 'The limit is reached: 5 rows were read for you today.',
      nextStep: 'Try again after the limit resets, or ask an admin to raise it.',
    })
    expect([stored, withdrawn]).toEqual([[], []])
    expect(await press('cleo')).toEqual({ status: 'again' })
  })

  it("ignores the asker's quota", async () => {
    const { press } = answered({ spent: ['ada'], hasty: ['ada'] })
    expect(await press('bob')).toEqual({ status: 'again' })
  })

  it('is refused to a person who clicks too often', async () => {
    const { withdrawn, press } = answered({ hasty: ['bob'] })
    expect(await press('bob')).toEqual(tooMuch)
    expect(withdrawn).toEqual([])
  })

  it('starts nothing if usage cannot be looked up', async () => {
    const failure = new Error('the store is away')
    const { withdrawn, press } = answered({ failure })
    await expect(press('bob')).rejects.toBe(failure)
    expect(withdrawn).toEqual([])
  })
})
