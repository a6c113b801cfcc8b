import { describe, expect, it } from 'vitest'
import { makeCheckQuota } from '../../src/budget/quota.ts'
import type { RunContext } from '../../src/domain/operations/audit.ts'
import { noQueryUsage, type QueryQuotas } from '../../src/domain/operations/usage.ts'

const noLimits: QueryQuotas = {
  ...{ rowsPerQuestion: null, secondsPerQuestion: null, rowsPerUserPerDay: null },
  ...{ secondsPerUserPerDay: null, rowsPerChannelPerDay: null, secondsPerChannelPerDay: null },
  ...{ rowsPerDay: null, secondsPerDay: null },
}

const context: RunContext = {
  ...{ origin: 'question', person: 'ada', team: 'T', channel: 'C', questionId: 'q', digestId: null },
}

const nothing = { used: noQueryUsage, reserved: noQueryUsage }

/** Ada has read 10 rows on a day, and so has the question. */
const checkAt = (moment: string, timeZone: string, limits: Partial<QueryQuotas>) => {
  const days: string[] = []
  const check = makeCheckQuota({
    limits: { ...noLimits, ...limits },
    usageOf: async ({ day, person, questionId }) => {
      days.push(day)
      const ten = { used: { rows: 10, milliseconds: 0 }, reserved: noQueryUsage }
      return {
        ofAll: nothing,
        ofPerson: person === 'ada' ? ten : nothing,
        ofChannel: nothing,
        ofQuestion: questionId === 'q' ? ten : nothing,
      }
    },
    now: () => new Date(moment),
    timeZone,
  })
  return { check, days }
}

describe('what may be read', () => {
  it.each([
    ['2026-11-22T22:30:00Z', 'Europe/Berlin', '2026-11-22', '30 min'],
    ['2026-11-22T23:30:00Z', 'Europe/Berlin', '2026-11-23', '23 h 30 min'],
    ['2026-11-22T23:30:00Z', 'America/New_York', '2026-11-22', '5 h 30 min'],
    // The day on which clocks go back has 25 hours.
    ['2026-10-24T22:00:00Z', 'Europe/Berlin', '2026-10-25', '25 h 0 min'],
    ['2026-11-22T22:59:59Z', 'Europe/Berlin', '2026-11-22', '1 min'],
  ])('counts by days of the time zone, at %s in %s', async (moment, zone, day, wait) => {
    const { check, days } = checkAt(moment, zone, { rowsPerUserPerDay: 10 })
    await expect(check(context)).rejects.toThrow(
      `10 of 10 rows were read for you today. It resets in ${wait}, at midnight (${zone}).`,
    )
    expect(days).toEqual([day])
  })

  it('stops only the person who has used it up', async () => {
    const { check } = checkAt('2026-11-22T10:00:00Z', 'UTC', { rowsPerUserPerDay: 10 })
    await check({ ...context, person: 'bob' })
    await expect(check({ ...context, origin: 'digest', questionId: null })).rejects.toThrow('for you today')
    await expect(check({ ...context, origin: 'export' })).rejects.toThrow('for you today')
  })

  it('has no reset time for one question', async () => {
    const { check } = checkAt('2026-11-22T10:00:00Z', 'UTC', { rowsPerQuestion: 10 })
    await expect(check(context)).rejects.toThrow(/were read for this question\. \(budget/)
  })
})
