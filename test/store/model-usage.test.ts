import { expect, it } from 'vitest'
import { makeMemoryModelLedger } from '../../src/store/in-memory.ts'
import { modelUsageContract } from '../contracts/model-usage.ts'

modelUsageContract(makeMemoryModelLedger)

it('forgets the days before yesterday', async () => {
  const ledger = makeMemoryModelLedger()
  const spent = {
    ...{ askedBy: null, model: 'm', role: 'drafter' as const },
    ...{ calls: 1, promptTokens: 5, completionTokens: 5, money: null },
  }
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) await ledger.record({ ...spent, day })
  const tokens = async (day: string) => (await ledger.spentOn(day, null)).tokens
  expect(await tokens('2026-03-01')).toBe(0)
  expect(await tokens('2026-03-02')).toBe(10)
  expect(await tokens('2026-03-03')).toBe(10)
})
