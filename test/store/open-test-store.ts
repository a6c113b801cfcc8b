import { resultKey } from '../../src/selection/result-key.ts'
import { makeStore, type Store, type StoreOptions } from '../../src/store/make-store.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

/** A store on a database of its own, with the schema up to date. */
export const openTestStore = async (
  options: Partial<StoreOptions> = {},
): Promise<AsyncDisposable & { readonly store: Store; readonly url: string }> => {
  const database = await createTestDatabase({ migrated: true })
  const store = makeStore({ url: database.url, resultKey, ...options })
  return {
    store,
    url: database.url,
    [Symbol.asyncDispose]: async () => {
      await store.close()
      await database.drop()
    },
  }
}
