import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { ModelSpending, ModelUsageLedger } from '../../src/domain/operations/usage.ts'

const spending = (given: Partial<ModelSpending>): ModelSpending => ({
  ...{ day: '2026-03-02', askedBy: 'ada', model: 'big', role: 'drafter' },
  ...{ calls: 1, promptTokens: 100, completionTokens: 10, money: 0.5 },
  ...given,
})

/** What every ledger of models keeps to. `open` gives one without entries. */
export const modelUsageContract = (open: () => ModelUsageLedger | Promise<ModelUsageLedger>): void => {
  describe('a ledger', () => {
    it('has nothing at first', async () => {
      const ledger = await open()
      expect(await ledger.spentOn('2026-03-01', 'ada')).toEqual({
        ...{ tokens: 0, money: 0, tokensOfPerson: 0, moneyOfPerson: 0 },
        ...{ tokensOfChannel: 0, moneyOfChannel: 0 },
      })
      expect(await ledger.list('2026-03-01')).toEqual([])
    })

    it('adds up what belongs together, and keeps days, persons, models and roles apart', async () => {
      const ledger = await open()
      await ledger.record(spending({}))
      await ledger.record(spending({ promptTokens: 1_000, money: 0.25 }))
      await ledger.record(spending({ askedBy: 'bob', model: 'small' }))
      await ledger.record(
        spending({ askedBy: null, role: 'judge', promptTokens: 0, completionTokens: 0, money: 0 }),
      )
      await ledger.record(spending({ day: '2026-03-03', promptTokens: 7 }))
      expect(await ledger.spentOn('2026-03-02', 'ada')).toEqual({
        tokens: 1_230,
        money: 1.25,
        tokensOfPerson: 1_120,
        moneyOfPerson: 0.75,
        ...{ tokensOfChannel: 0, moneyOfChannel: 0 },
      })
      expect(await ledger.spentOn('2026-03-02', null)).toMatchObject({ tokens: 1_230, tokensOfPerson: 0 })
      expect(await ledger.list('2026-03-02')).toEqual([
        spending({ calls: 2, promptTokens: 1_100, completionTokens: 20, money: 0.75 }),
        spending({ askedBy: 'bob', model: 'small' }),
        spending({ askedBy: null, role: 'judge', promptTokens: 0, completionTokens: 0, money: 0 }),
      ])
    })

    it('knows no sum once something had no price', async () => {
      const ledger = await open()
      await ledger.record(spending({}))
      await ledger.record(spending({ money: null }))
      await ledger.record(spending({ model: 'priced' }))
      expect((await ledger.list('2026-03-02')).map(({ money }) => money)).toEqual([null, 0.5])
      expect((await ledger.spentOn('2026-03-02', null)).money).toBe(0.5)
    })

    it('keeps apart what each channel has cost', async () => {
      const ledger = await open()
      const none = { questionId: null }
      await ledger.record(spending({}), { ...none, channel: 'C1' })
      await ledger.record(spending({ money: null }), { ...none, channel: 'C1' })
      await ledger.record(spending({}), { ...none, channel: 'C2' })
      await ledger.record(spending({ day: '2026-03-03' }), { ...none, channel: 'C1' })
      expect(await ledger.spentOn('2026-03-02', 'ada', 'C1')).toMatchObject({
        ...{ tokens: 330, tokensOfPerson: 330, tokensOfChannel: 220, moneyOfChannel: 0.5 },
      })
      expect(await ledger.spentOn('2026-03-02', null, 'C3')).toMatchObject({ tokensOfChannel: 0 })
      expect(await ledger.spentFor(randomUUID())).toEqual([])
    })

    it('loses nothing of a hundred bookings at once', async () => {
      const ledger = await open()
      await Promise.all(Array.from({ length: 100 }, () => ledger.record(spending({}))))
      expect(await ledger.list('2026-03-02')).toEqual([
        spending({ calls: 100, promptTokens: 10_000, completionTokens: 1_000, money: 50 }),
      ])
    })
  })
}
