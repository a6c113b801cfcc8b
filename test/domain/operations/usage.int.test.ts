import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import type { Tx } from '../../../src/domain/operations/jobs.ts'
import type { QueryUsageLedger } from '../../../src/domain/operations/usage.ts'
import { makeUsageLedger } from '../../../src/store/usage-ledger.ts'
import { queryUsageContract } from '../../contracts/query-usage.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { openTestStore } from '../../store/setup/open-test-store.ts'

describe.each(postgresServers('the ledger of readings'))('on the %s server', on => {
  const opened: AsyncDisposable[] = []
  afterAll(async () => {
    for (const store of opened) await store[Symbol.asyncDispose]()
  })

  queryUsageContract(async () => {
    const store = await openTestStore({ on })
    opened.push(store)
    return store.store.usageLedger
  })

  const account = { day: '2026-03-02', person: 'ada', channel: null, questionId: null }
  const most = { rows: 10, milliseconds: 100 }
  const reserve = (ledger: QueryUsageLedger, tx?: Tx): Promise<void> =>
    ledger.reserve([{ id: randomUUID(), account, most }], () => most, { leaseMs: 3_600_000 }, tx)
  const settle = (ledger: QueryUsageLedger, tx?: Tx): Promise<void> =>
    ledger.settle([{ id: null, ...account, ...most }], tx)

  it.each([
    ['reserves', reserve],
    ['books', settle],
  ])(
    'continues for others when a process hangs while it %s, and keeps nothing of that process',
    async (_, work) => {
      const own = await openTestStore({ on })
      opened.push(own)
      const { store } = own
      const ledger = makeUsageLedger(store.repositories, store.inTransaction, { silentMs: 300 })
      const [hangs, wakes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const hanging = store.inTransaction(async tx => {
        await work(ledger, tx)
        hangs.resolve()
        await wakes.promise
      })
      const ended = expect(hanging).rejects.toThrow()
      await hangs.promise
      await work(ledger)
      wakes.resolve()
      await ended
      const { ofAll } = await ledger.usageOf(account)
      expect(ofAll.used.rows + ofAll.reserved.rows).toBe(10)
    },
  )
})
