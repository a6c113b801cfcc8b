import type { InTransaction } from '../domain/operations/jobs.ts'
import {
  type AccountUsage,
  noQueryUsage,
  type QueryUsage,
  type QueryUsageLedger,
  type RecordedUsage,
  type UsageAccount,
  type UsageTotals,
} from '../domain/operations/usage.ts'
import type { FoundUsage } from './repositories/budget-usage.ts'
import type { Repositories } from './repositories/repositories.ts'

/** Only store calls happen while others wait for the lock: a process silent for this long hangs or is gone. */
const MAX_SILENCE_MS = 10_000

/**
 * The ledger in the store. All processes decide in turn, under one lock, for the duration of a transaction. A process
 * that hangs loses its transaction after `silentMs`, and with it the lock.
 */
export const makeUsageLedger = (
  {
    budgetUsage,
    usageReservations: readingReservations,
  }: Pick<Repositories, 'budgetUsage' | 'usageReservations'>,
  inTransaction: InTransaction,
  { silentMs }: { readonly silentMs: number } = { silentMs: MAX_SILENCE_MS },
): QueryUsageLedger => ({
  usageOf: async account => sumsOf(await readingReservations.find([account])).usageOf(account),

  reserve: async (asks, decide, { leaseMs }, given) => {
    const work: Parameters<typeof inTransaction<void>>[0] = async tx => {
      await readingReservations.lockDecisions(tx, silentMs)
      const accounts = asks.map(({ account }) => account)
      const tally = sumsOf(await readingReservations.find(accounts, tx))
      const reserved = asks.flatMap(ask => {
        const { id, account } = ask
        const reading = decide(ask, tally.usageOf(account))
        if (reading === null) return []
        tally.addReserved(account, reading)
        return [{ id, ...account, ...reading }]
      })
      await readingReservations.insert(reserved, leaseMs, tx)
    }
    await (given ? work(given) : inTransaction(work))
  },

  renew: (ids, { leaseMs }) => readingReservations.renew(ids, leaseMs),

  settle: async (readings, given) => {
    const work: Parameters<typeof inTransaction<void>>[0] = async tx => {
      // The day's row is shared by everyone.
      await readingReservations.endWhenSilent(tx, silentMs)
      await budgetUsage.addUsage(readings, tx)
      await readingReservations.delete(
        readings.flatMap(({ id }) => (id === null ? [] : [id])),
        tx,
      )
    }
    await (given ? work(given) : inTransaction(work))
  },
})

const sumsOf = ({ booked, reserved }: FoundUsage): UsageSums => {
  const tally = makeUsageSums()
  for (const { scope, day, name, ...reading } of booked) tally.addBooked({ scope, day, name }, reading)
  for (const { day, person, channel, questionId, ...reading } of reserved)
    tally.addReserved({ day, person, channel, questionId }, reading)
  return tally
}

/**
 * A ledger for runs without a store. It starts empty with the process, and reservations end with it at the latest.
 * `now` is in milliseconds.
 */
export const makeMemoryUsageLedger = ({ now }: { readonly now: () => number }): QueryUsageLedger => {
  const tally = makeUsageSums()
  const reserved = new Map<string, RecordedUsage & { readonly until: number }>()

  const end = (id: string): void => {
    const held = reserved.get(id)
    if (!held) return
    reserved.delete(id)
    tally.addReserved(held, { rows: -held.rows, milliseconds: -held.milliseconds })
  }
  const endExpired = (): void => {
    for (const [id, { until }] of reserved) if (until <= now()) end(id)
  }

  return {
    usageOf: async account => {
      endExpired()
      return tally.usageOf(account)
    },
    // Nothing in here waits, so no other decision comes between.
    reserve: async (asks, decide, { leaseMs }) => {
      endExpired()
      for (const ask of asks) {
        const { id, account } = ask
        const reading = decide(ask, tally.usageOf(account))
        if (reading === null) continue
        tally.addReserved(account, reading)
        reserved.set(id, { ...account, ...reading, until: now() + leaseMs })
      }
    },
    renew: async (ids, { leaseMs }) => {
      endExpired()
      for (const id of ids) {
        const held = reserved.get(id)
        if (held) reserved.set(id, { ...held, until: now() + leaseMs })
      }
    },
    settle: async readings => {
      for (const { id, rows, milliseconds, ...account } of readings) {
        if (id !== null) end(id)
        for (const scope of usageScopesOf(account)) tally.addBooked(scope, { rows, milliseconds })
      }
    },
  }
}

/** Sums of what was read or reserved, by account. */
interface UsageSums {
  readonly addBooked: (scope: UsageScope, reading: QueryUsage) => void
  readonly addReserved: (account: UsageAccount, reading: QueryUsage) => void
  readonly usageOf: (account: UsageAccount) => AccountUsage
}

/** What usage counts for: a day of everyone, a person or a channel, or a question on all days. */
export interface UsageScope {
  readonly scope: 'all' | 'person' | 'channel' | 'question'
  readonly day: string
  readonly name: string
}

/** What the usage of an account counts for. */
export const usageScopesOf = ({ day, person, channel, questionId }: UsageAccount): readonly UsageScope[] => [
  { scope: 'all', day, name: '' },
  ...(person === null ? [] : [{ scope: 'person' as const, day, name: person }]),
  ...(channel === null ? [] : [{ scope: 'channel' as const, day, name: channel }]),
  ...(questionId === null ? [] : [{ scope: 'question' as const, day, name: questionId }]),
]

const makeUsageSums = (): UsageSums => {
  const usages = new Map<string, UsageTotals>()
  const of = (scope: UsageScope): UsageTotals => usages.get(keyOf(scope)) ?? noUsageYet
  return {
    addBooked: (scope, reading) => {
      const { used: booked, reserved } = of(scope)
      usages.set(keyOf(scope), { used: addUsage(booked, reading), reserved })
    },
    addReserved: (account, reading) => {
      for (const scope of usageScopesOf(account)) {
        const { used: booked, reserved } = of(scope)
        usages.set(keyOf(scope), { used: booked, reserved: addUsage(reserved, reading) })
      }
    },
    usageOf: account => {
      const scopes = usageScopesOf(account)
      const usageIn = (wanted: UsageScope['scope']): UsageTotals => {
        const found = scopes.find(({ scope }) => scope === wanted)
        return found ? of(found) : noUsageYet
      }
      return {
        ofAll: usageIn('all'),
        ofPerson: usageIn('person'),
        ofChannel: usageIn('channel'),
        ofQuestion: usageIn('question'),
      }
    },
  }
}

const noUsageYet: UsageTotals = { used: noQueryUsage, reserved: noQueryUsage }

const keyOf = ({ scope, day, name }: UsageScope): string =>
  JSON.stringify([scope, scope === 'question' ? '' : day, name])

const addUsage = (a: QueryUsage, b: QueryUsage): QueryUsage => ({
  rows: a.rows + b.rows,
  milliseconds: a.milliseconds + b.milliseconds,
})
