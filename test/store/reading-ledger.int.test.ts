import { afterAll, describe } from 'vitest'
import { describeReadingLedger } from '../contracts/reading-ledger.ts'
import { postgresServers } from '../helpers/postgres-servers.ts'
import { openTestStore } from './open-test-store.ts'

describe.each(postgresServers('the ledger of readings'))('on the %s server', on => {
  const opened: AsyncDisposable[] = []
  afterAll(async () => {
    for (const store of opened) await store[Symbol.asyncDispose]()
  })

  describeReadingLedger(async () => {
    const store = await openTestStore({ on })
    opened.push(store)
    return store.store.readingLedger
  })
})
