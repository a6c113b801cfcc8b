import { describe, expect, it } from 'vitest'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeStore } from '../../src/store/store.ts'
import { createTestDatabase } from '../helpers/test-database.ts'

describe('a store', () => {
  it('that cannot be reached says what to look at', async () => {
    await using database = await createTestDatabase()
    const url = new URL(database.url)
    url.pathname = '/no_such_database'
    const store = makeStore({ url: url.href, resultKey })
    const failure = { code: 'store-unavailable', message: expect.stringContaining('DATABASE_URL') }
    await expect(store.pendingMigrations()).rejects.toMatchObject(failure)
    await expect(store.migrate()).rejects.toMatchObject(failure)
    await expect(store.migrate()).rejects.not.toThrow(url.password)
    await store.close()
  })

  it('closes when it was never used', async () => {
    await using database = await createTestDatabase()
    await expect(makeStore({ url: database.url, resultKey }).close()).resolves.toBeUndefined()
  })
})
