import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { QueryUsageLedger, UsageAccount, UsageReservation } from '../../src/domain/operations/usage.ts'

const account = (given: Partial<UsageAccount> = {}): UsageAccount => ({
  ...{ day: '2026-03-02', person: 'ada', channel: 'C1', questionId: null },
  ...given,
})

const nothing = { rows: 0, milliseconds: 0 }

const LONG = { leaseMs: 3_600_000 }

const ask = (given: Partial<UsageReservation> = {}): UsageReservation => ({
  ...{ id: randomUUID(), account: account(), most: { rows: 100, milliseconds: 1_000 } },
  ...given,
})

/** What every ledger of readings keeps to. `open` gives one without entries. */
export const queryUsageContract = (open: () => QueryUsageLedger | Promise<QueryUsageLedger>): void => {
  describe('a ledger', () => {
    it('has nothing at first', async () => {
      const none = { used: nothing, reserved: nothing }
      expect(await (await open()).usageOf(account({ questionId: 'q' }))).toEqual({
        ...{ ofAll: none, ofPerson: none, ofChannel: none, ofQuestion: none },
      })
    })

    it('keeps apart days, persons and channels, and counts a question on all days', async () => {
      const ledger = await open()
      const read = { id: null, rows: 3, milliseconds: 10 }
      await ledger.settle([
        { ...read, ...account({ questionId: 'q' }) },
        { ...read, ...account({ questionId: 'q' }) },
        { ...read, ...account({ day: '2026-03-03', questionId: 'q' }) },
        { ...read, ...account({ person: 'bob' }) },
        { ...read, ...account({ person: null, channel: null }) },
      ])
      const status = await ledger.usageOf(account({ questionId: 'q' }))
      expect(Object.values(status).map(({ used }) => used.rows)).toEqual([12, 6, 9, 9])
      const nobody = await ledger.usageOf(account({ person: null, channel: null }))
      expect([nobody.ofAll.used.milliseconds, nobody.ofPerson.used, nobody.ofChannel.used]).toEqual([
        ...[40, nothing, nothing],
      ])
    })

    it('has what is reserved count at once, for the next ask of the same journey too, and until it is settled', async () => {
      const ledger = await open()
      const seen: number[] = []
      const [first, second, third] = [ask(), ask({ account: account({ person: 'bob' }) }), ask()]
      await ledger.reserve(
        [first, second, third],
        ({ most }, { ofAll }) => {
          seen.push(ofAll.reserved.rows)
          return ofAll.reserved.rows >= 200 ? null : most
        },
        LONG,
      )
      expect(seen).toEqual([0, 100, 200])
      const before = await ledger.usageOf(account())
      expect(before.ofAll.reserved).toEqual({ rows: 200, milliseconds: 2_000 })
      expect(before.ofPerson.reserved).toEqual({ rows: 100, milliseconds: 1_000 })
      expect(before.ofAll.used).toEqual(nothing)
      await ledger.settle([{ id: first.id, ...account(), rows: 7, milliseconds: 30 }])
      const { ofAll } = await ledger.usageOf(account())
      expect(ofAll).toEqual({
        used: { rows: 7, milliseconds: 30 },
        reserved: { rows: 100, milliseconds: 1_000 },
      })
    })

    it('drops reservations that are not renewed, and still counts statements that end later', async () => {
      const ledger = await open()
      const [dead, alive] = [ask(), ask()]
      // Over at once, as if its time had passed.
      await ledger.reserve([dead], ({ most }) => most, { leaseMs: 0 })
      await ledger.reserve([alive], ({ most }) => most, LONG)
      await ledger.renew([dead.id, alive.id], LONG)
      expect((await ledger.usageOf(account())).ofAll.reserved.rows).toBe(100)
      await ledger.renew([alive.id], { leaseMs: 0 })
      expect((await ledger.usageOf(account())).ofAll.reserved.rows).toBe(0)
      await ledger.settle([{ id: dead.id, ...account(), rows: 5, milliseconds: 1 }])
      expect((await ledger.usageOf(account())).ofAll.used.rows).toBe(5)
    })

    it('never gives more than there is, however many ask at once', async () => {
      const ledger = await open()
      const asks = Array.from({ length: 50 }, () => ask({ most: { rows: 30, milliseconds: 1 } }))
      await Promise.all(
        asks.map(one =>
          ledger.reserve(
            [one],
            ({ most }, { ofAll }) => {
              const rows = Math.min(most.rows, 1_000 - ofAll.used.rows - ofAll.reserved.rows)
              return rows > 0 ? { ...most, rows } : null
            },
            LONG,
          ),
        ),
      )
      expect((await ledger.usageOf(account())).ofAll.reserved.rows).toBe(1_000)
    })
  })
}
