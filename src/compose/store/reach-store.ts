import { setTimeout as wait } from 'node:timers/promises'
import type { Resources } from '../../compose.ts'
import { resultKey } from '../../selection/result-key.ts'
import { isServerRunning } from '../../store/embedded/is-server-running.ts'
import { makeStore, type Store } from '../../store/make-store.ts'
import { once } from '../once.ts'
import { ownStoreUrl } from './open-own-store.ts'

/** What a question that is kept in memory may wait for a store that it does not need. */
const MAX_WAIT_MS = 1_500

/** Reads from our store, or gives `otherwise` where it is away. Rejects only when the signal fired. */
export type ReadIfReachable = <T>(
  read: (store: Store) => Promise<T>,
  options: { readonly otherwise: T; readonly signal?: AbortSignal },
) => Promise<T>

/**
 * Our store for a question that is kept in memory: reached where that costs little, which is when `DATABASE_URL` names
 * it or the built-in server runs already. Starting that server would take longer than many an answer. Nothing is
 * migrated; a store that is away, or of an older version, counts as one that is empty.
 */
export const makeReadIfReachable = (resources: Resources): ReadIfReachable => {
  const { config, server, releasers, log } = resources
  let isAway = false
  const open = once(async (): Promise<Store | null> => {
    if (!config.store.databaseUrl && !(await isServerRunning(config.home))) return null
    const store = makeStore({ url: await ownStoreUrl(config, server), resultKey })
    releasers.push(() => store.close())
    return store
  })

  return async (read, { otherwise, signal }) => {
    if (isAway) return otherwise
    const inTime = new AbortController()
    const reading = async () => {
      const store = await open()
      return store === null ? otherwise : read(store)
    }
    try {
      return await Promise.race([
        reading(),
        wait(MAX_WAIT_MS, undefined, {
          signal: AbortSignal.any([inTime.signal, ...(signal ? [signal] : [])]),
        }).then(() => {
          throw new Error(`no reply within ${MAX_WAIT_MS} ms`)
        }),
      ])
    } catch (error) {
      signal?.throwIfAborted()
      isAway = true
      log.debug({ error }, 'our store could not be read; answering without it')
      return otherwise
    } finally {
      inTime.abort()
    }
  }
}
