import { afterAll, beforeAll } from 'vitest'
import type { Store } from '../../../src/store/store.ts'
import type { TestDatabaseOptions } from '../../helpers/test-database.ts'
import { openTestStore } from './open-test-store.ts'

/** Opens a store for the suite that calls this, and drops it after its last test. The result is for within tests. */
export const storeOn = (on: NonNullable<TestDatabaseOptions['on']>): (() => Store) => {
  let opened: Awaited<ReturnType<typeof openTestStore>>
  beforeAll(async () => {
    opened = await openTestStore({ on })
  })
  afterAll(() => opened?.[Symbol.asyncDispose]())
  return () => opened.store
}
