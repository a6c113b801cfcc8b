import { setTimeout as wait } from 'node:timers/promises'
import type { Resources } from '../compose.ts'
import type { ListVerified } from '../core/verified-query.ts'
import { resultKey } from '../selection/result-key.ts'
import { isServerRunning } from '../store/embedded/is-server-running.ts'
import { makeStore, type Store } from '../store/make-store.ts'
import { once } from './once.ts'
import { ownStoreUrl } from './open-own-store.ts'

/** What a question that is kept in memory may wait for a store that it does not need. */
const PATIENCE_MS = 1_500

/**
 * The accepted queries for a question that is kept in memory: read where our store can be reached at little cost, which
 * is when `DATABASE_URL` names it or the built-in server runs already. Starting that server would take longer than many
 * an answer. Nothing is migrated; a store that is away, or of an older version, counts as one without queries.
 */
export const makeReachVerified = (resources: Resources): ListVerified => {
  const { config, server, releasers, log } = resources
  let isAway = false
  const open = once(async (): Promise<Store | null> => {
    if (!config.store.databaseUrl && !(await isServerRunning(config.home))) return null
    const store = makeStore({ url: await ownStoreUrl(config, server), resultKey })
    releasers.push(() => store.close())
    return store
  })
  const list = async (database: string) =>
    (await (await open())?.repositories.verifiedQueries.list({ database, status: 'accepted' })) ?? []

  return async (database, { signal } = {}) => {
    if (isAway) return []
    const inTime = new AbortController()
    try {
      return await Promise.race([
        list(database),
        wait(PATIENCE_MS, undefined, {
          signal: AbortSignal.any([inTime.signal, ...(signal ? [signal] : [])]),
        }).then(() => {
          throw new Error(`no reply within ${PATIENCE_MS} ms`)
        }),
      ])
    } catch (error) {
      signal?.throwIfAborted()
      isAway = true
      log.debug({ error }, 'verified queries could not be read; answering without them')
      return []
    } finally {
      inTime.abort()
    }
  }
}
