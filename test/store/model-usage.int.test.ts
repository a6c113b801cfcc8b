import { afterAll, describe } from 'vitest'
import { describeModelLedger } from '../contracts/model-ledger.ts'
import { postgresServers } from '../helpers/postgres-servers.ts'
import { openTestStore } from './open-test-store.ts'

describe.each(postgresServers('the usage of models'))('on the %s server', on => {
  const opened: AsyncDisposable[] = []
  afterAll(async () => {
    for (const store of opened) await store[Symbol.asyncDispose]()
  })

  describeModelLedger(async () => {
    const store = await openTestStore({ on })
    opened.push(store)
    return store.store.repositories.modelUsage
  })
})
