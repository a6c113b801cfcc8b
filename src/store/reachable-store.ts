import { setTimeout as wait } from 'node:timers/promises'
import type { Log } from '../domain/operations/telemetry.ts'
import { once } from '../lib/once.ts'
import type { Store } from './store.ts'

/** How long to wait for the store. */
const MAX_WAIT_MS = 1_500

/** Reads from the store, or returns `otherwise` if it is unavailable. Rejects only when the signal fired. */
export type ReadIfReachable = <T>(
  read: (store: Store) => Promise<T>,
  options: { readonly otherwise: T; readonly signal?: AbortSignal },
) => Promise<T>

/**
 * Reads from a store that the caller can do without. `open` returns null if it is not worth opening. After the first
 * failure it is not tried again; a store of an older schema counts as unavailable.
 */
export const readIfReachable = (open: () => Promise<Store | null>, log: Log): ReadIfReachable => {
  let isUnavailable = false
  const openOnce = once(open)

  return async (read, { otherwise, signal }) => {
    if (isUnavailable) return otherwise
    const inTime = new AbortController()
    const reading = async () => {
      const store = await openOnce()
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
      isUnavailable = true
      log.debug({ error }, 'could not read the store; answering without it')
      return otherwise
    } finally {
      inTime.abort()
    }
  }
}
