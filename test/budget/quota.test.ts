import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activeQuotas, grantQuota } from '../../src/budget/quota.ts'
import {
  type AccountUsage,
  noQueryUsage,
  type QueryQuotas,
  type QueryUsage,
} from '../../src/domain/operations/usage.ts'
import { makeMemoryUsageLedger } from '../../src/store/usage-ledger.ts'

const noLimits: QueryQuotas = {
  ...{ rowsPerQuestion: null, secondsPerQuestion: null, rowsPerUserPerDay: null },
  ...{ secondsPerUserPerDay: null, rowsPerChannelPerDay: null, secondsPerChannelPerDay: null },
  ...{ rowsPerDay: null, secondsPerDay: null },
}

const nothing = { used: noQueryUsage, reserved: noQueryUsage }

const most: QueryUsage = { rows: 1_000, milliseconds: 30_000 }

const grant = (
  limits: Partial<QueryQuotas>,
  status: Partial<AccountUsage>,
  { isPatient = true, asked = most }: { isPatient?: boolean; asked?: QueryUsage } = {},
) =>
  grantQuota(
    asked,
    { ofAll: nothing, ofPerson: nothing, ofChannel: nothing, ofQuestion: nothing, ...status },
    {
      limits: activeQuotas({ ...noLimits, ...limits }),
      now: () => new Date('2026-03-02T12:00:00Z'),
      ...{ timeZone: 'UTC', isPatient },
    },
  )

const rows = (used: number, reserved = 0) => ({
  used: { rows: used, milliseconds: 0 },
  reserved: { rows: reserved, milliseconds: 0 },
})

describe('what a statement may read', () => {
  it('is everything that fits', () => {
    expect(grant({ rowsPerDay: 5_000 }, { ofAll: rows(3_000, 1_000) })).toMatchObject({ usage: most })
    expect(grant({}, { ofAll: rows(1e12, 1e12) })).toMatchObject({ usage: most, timeoutError: null })
  })

  it('is what is left of the lowest limit', () => {
    expect(
      grant({ rowsPerDay: 5_000, rowsPerUserPerDay: 50 }, { ofAll: rows(4_500), ofPerson: rows(43) }),
    ).toMatchObject({ status: 'granted', usage: { rows: 7, milliseconds: 30_000 } })
  })

  it('waits for reservations of others while patient, or if nothing is free', () => {
    const limits = { rowsPerDay: 1_500 }
    expect(grant(limits, { ofAll: rows(0, 1_000) }).status).toBe('waits')
    expect(grant(limits, { ofAll: rows(0, 1_000) }, { isPatient: false })).toMatchObject({
      usage: { rows: 500 },
    })
    expect(grant(limits, { ofAll: rows(500, 1_000) }, { isPatient: false })).toMatchObject({
      status: 'waits',
      error: { errorClass: 'over-budget', message: expect.stringContaining('other queries') },
    })
    // A plan reads no rows, and need not wait for any.
    expect(grant(limits, { ofAll: rows(500, 1_000) }, { asked: { rows: 0, milliseconds: 10 } }).status).toBe(
      'granted',
    )
  })

  it('is nothing once a limit is used up', () => {
    expect(() => grant({ rowsPerDay: 1_500 }, { ofAll: rows(1_500) })).toThrow(
      '1,500 of 1,500 rows were read',
    )
    const used = { used: { rows: 0, milliseconds: 4_999.5 }, reserved: noQueryUsage }
    expect(() => grant({ secondsPerDay: 5 }, { ofAll: used })).toThrow(
      'queries used 5 s of 5 s for everyone today',
    )
  })

  it('has a time limit, and an error that names it', () => {
    const used = { used: { rows: 0, milliseconds: 4_650.2 }, reserved: noQueryUsage }
    const granted = grant({ secondsPerQuestion: 5 }, { ofQuestion: used })
    expect(granted).toMatchObject({ usage: { rows: 1_000, milliseconds: 349 } })
    expect(granted.status === 'granted' ? granted.timeoutError?.message : '').toBe(
      'The limit is reached: the query was stopped after 0.35 s, the last of the 5 s that queries can run for this question. (budget.secondsPerQuestion)',
    )
  })

  it('never exceeds the limits, and reaches them under load', async () => {
    const step = fc.record({ most: fc.integer({ min: 1, max: 60 }), reads: fc.integer({ min: 0, max: 80 }) })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 60 }), fc.nat(), async (steps, seed) => {
        const limits = { rowsPerDay: 100, rowsPerUserPerDay: 70 }
        const ledger = makeMemoryUsageLedger({ now: () => 0 })
        const account = { day: '2026-03-02', person: 'ada', channel: null, questionId: null }
        const running: { id: string; rows: number }[] = []
        let [read, wanted, isRefused] = [0, 0, false]
        const settle = async (): Promise<void> => {
          const [ended] = running.splice((seed + read) % running.length, 1)
          if (!ended) return
          read += ended.rows
          await ledger.settle([{ id: ended.id, ...account, rows: ended.rows, milliseconds: 1 }])
        }
        for (const [at, { most, reads }] of steps.entries()) {
          const id = String(at)
          wanted += Math.min(most, reads)
          for (let isWaiting = true; isWaiting; ) {
            isWaiting = false
            await ledger.reserve(
              [{ id, account, most: { rows: most, milliseconds: 10 } }],
              (ask, status) => {
                try {
                  const granted = grant(limits, status, { asked: ask.most })
                  isWaiting = granted.status === 'waits'
                  if (granted.status === 'waits') return null
                  running.push({ id, rows: Math.min(reads, granted.usage.rows) })
                  return granted.usage
                } catch {
                  isRefused = true
                  return null
                }
              },
              { leaseMs: 1_000 },
            )
            if (isWaiting) await settle()
          }
        }
        while (running.length > 0) await settle()
        expect(read).toBe(Math.min(70, wanted))
        expect(isRefused && read < 70).toBe(false)
      }),
    )
  })
})
