import { resultKey } from '../../../src/ranking/result-key.ts'
import { makeStore, type Store, type StoreOptions } from '../../../src/store/store.ts'
import { createTestDatabase, type TestDatabaseOptions } from '../../helpers/test-database.ts'

/** A store on a database of its own, with the schema up to date. */
export const openTestStore = async (
  options: Partial<StoreOptions> & Pick<TestDatabaseOptions, 'on'> = {},
): Promise<AsyncDisposable & { readonly store: Store; readonly url: string }> => {
  const { on = 'embedded', ...given } = options
  const database = await createTestDatabase({ on, migrated: true })
  const store = makeStore({ url: database.url, resultKey, ...given })
  return {
    store,
    url: database.url,
    [Symbol.asyncDispose]: async () => {
      await store.close()
      await database.drop()
    },
  }
}
