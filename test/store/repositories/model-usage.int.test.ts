import { afterAll, describe } from 'vitest'
import { modelUsageContract } from '../../contracts/model-usage.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { openTestStore } from '../setup/open-test-store.ts'

describe.each(postgresServers('the usage of models'))('on the %s server', on => {
  const opened: AsyncDisposable[] = []
  afterAll(async () => {
    for (const store of opened) await store[Symbol.asyncDispose]()
  })

  modelUsageContract(async () => {
    const store = await openTestStore({ on })
    opened.push(store)
    return store.store.repositories.modelUsage
  })
})
