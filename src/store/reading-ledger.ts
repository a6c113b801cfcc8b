import type { QueryUsageLedger } from '../core/reading-ledger.ts'
import type { InTransaction } from '../core/tx.ts'
import type { Repositories } from './repositories/make-repositories.ts'
import type { FoundUsage } from './repositories/reading-reservations.ts'
import { makeUsageSums, type UsageSums } from './tally-reading.ts'

/** Nothing but the store is waited for under the locks of others: who says nothing for so long hangs, or is gone. */
const MAX_SILENCE_MS = 10_000

/**
 * Makes the books over the store. All processes decide in turn: under one lock, for as long as a transaction takes. One
 * that hangs in the middle loses its transaction after `silentMs`, and with it the lock.
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
      // The row of the day is everybody's.
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
