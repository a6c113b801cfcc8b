import type { QueryUsageLedger, RecordedUsage } from '../../core/reading-ledger.ts'
import { makeUsageSums, usageScopesOf } from '../tally-reading.ts'

/**
 * Books for runs without a store. They begin anew with the process, and what is reserved ends with it at the latest.
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
    // Nothing in here waits, so nobody else decides meanwhile.
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
