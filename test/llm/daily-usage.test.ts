import { expect, it } from 'vitest'
import { type Log, type LogFields, silentLog } from '../../src/domain/operations/telemetry.ts'
import type { ModelSpending, ModelUsageLedger } from '../../src/domain/operations/usage.ts'
import { type DailyUsageDeps, makeDailyUsage } from '../../src/llm/usage-meter.ts'

const noLimits = { tokensPerUserPerDay: null, tokensPerDay: null, moneyPerDay: null }

const spending = {
  ...{ model: 'm', role: 'drafter' as const, calls: 1 },
  ...{ promptTokens: 90, completionTokens: 10, money: 1 },
}

const day = {
  ...{ tokens: 100, money: 1, tokensOfPerson: 60, moneyOfPerson: 0.6 },
  ...{ tokensOfChannel: 80, moneyOfChannel: 0.8 },
}

const open = (deps: Partial<DailyUsageDeps>, spent = day) => {
  const booked: ModelSpending[] = []
  const read: unknown[] = []
  const failed: LogFields[] = []
  const ledger: ModelUsageLedger = {
    record: async entry => void booked.push(entry),
    spentOn: async (...asked) => {
      read.push(asked)
      return spent
    },
    list: async () => booked,
    spentFor: async () => [],
  }
  const log: Log = { ...silentLog, error: fields => void failed.push(fields) }
  const given = {
    ledger,
    limits: noLimits,
    today: () => '2026-03-02',
    askedBy: async () => 'ada',
    askedIn: async () => 'C1',
    log,
  }
  return { usage: makeDailyUsage({ ...given, ...deps })('q'), booked, read, failed }
}

it('without limits nothing is read, and everything is stored', async () => {
  const { usage, booked, read } = open({})
  await usage.check()
  await usage.record(spending)
  expect(read).toEqual([])
  expect(booked).toEqual([{ ...spending, day: '2026-03-02', askedBy: 'ada' }])
})

it.each([
  [{ tokensPerDay: 101 }, null],
  [{ tokensPerDay: 100 }, /100 model tokens of today.*budget\.tokensPerDay/],
  [{ moneyPerDay: 1.01 }, null],
  [{ moneyPerDay: 1 }, /budget\.moneyPerDay/],
  [{ moneyPerDay: 0 }, /budget\.moneyPerDay/],
  [{ tokensPerUserPerDay: 61 }, null],
  [{ moneyPerUserPerDay: 0.7 }, null],
  [{ moneyPerUserPerDay: 0.6 }, /0\.6 for models of one person.*budget\.moneyPerUserPerDay/],
  [{ tokensPerChannelPerDay: 81 }, null],
  [{ tokensPerChannelPerDay: 80 }, /80 model tokens of this channel.*budget\.tokensPerChannelPerDay/],
  [{ moneyPerChannelPerDay: 0.8 }, /0\.8 for models of this channel.*budget\.moneyPerChannelPerDay/],
  [{ tokensPerUserPerDay: 60 }, /60 model tokens of one person.*budget\.tokensPerUserPerDay/],
])('with %j spent 100 tokens, 60 of them by the person, and 1 of money: %s', async (limits, refusal) => {
  const { usage, read } = open({ limits: { ...noLimits, ...limits } })
  if (refusal === null) await usage.check()
  else
    await expect(usage.check()).rejects.toMatchObject({
      code: 'budget-spent',
      message: expect.stringMatching(refusal),
    })
  expect(read).toEqual([['2026-03-02', 'ada', 'C1']])
})

it('a question without an asker has no limit per person', async () => {
  const limits = { ...noLimits, tokensPerUserPerDay: 1 }
  await open({ limits, askedBy: async () => null }).usage.check()
})

it('sends no request if usage cannot be read and there is a limit', async () => {
  const ledger: ModelUsageLedger = {
    record: () => Promise.reject(new Error('gone')),
    spentOn: () => Promise.reject(new Error('gone')),
    list: async () => [],
    spentFor: async () => [],
  }
  const { usage } = open({ ledger, limits: { ...noLimits, tokensPerDay: 1_000 } })
  await expect(usage.check()).rejects.toMatchObject({ code: 'store-unavailable' })
  await open({ ledger }).usage.check()
})

it('a cost that cannot be stored is logged, and the reply is kept', async () => {
  const ledger: ModelUsageLedger = {
    record: () => Promise.reject(new Error('gone')),
    spentOn: async () => day,
    list: async () => [],
    spentFor: async () => [],
  }
  const { usage, failed } = open({ ledger })
  await usage.record(spending)
  expect(failed).toMatchObject([{ model: 'm', promptTokens: 90 }])
})
