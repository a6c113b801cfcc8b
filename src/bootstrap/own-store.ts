import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../config/config.ts'
import type { Log, Metrics } from '../domain/operations/telemetry.ts'
import type { ListVerified } from '../domain/verified-query.ts'
import { once } from '../lib/once.ts'
import type { Releasers } from '../lib/releasers.ts'
import { resultKey } from '../ranking/result-key.ts'
import type { Checkpoints } from '../store/checkpoints.ts'
import type { EmbeddedServer } from '../store/embedded/embedded-server.ts'
import { isServerRunning } from '../store/embedded/server-process.ts'
import { defaultResultLimits, type ResultLimits } from '../store/results.ts'
import type { Store } from '../store/store.ts'
import { withQuestionMetrics } from '../telemetry/instrumentation.ts'
import type { Resources } from './resources.ts'

/** Querent's own Postgres, migrated: the store, the checkpoints in the same database, and its URL for the queue. */
export interface OwnStore {
  readonly url: string
  readonly store: Store
  readonly checkpoints: Checkpoints
  /** Names of the migrations that ran when it was opened. */
  readonly migrated: readonly string[]
}

/** The store's database on the embedded server. */
const OWN_DATABASE = 'querent'

/** URL of the store: `DATABASE_URL`, otherwise a database of the embedded server, created if missing. */
export const ownStoreUrl = async (config: Config, server: () => Promise<EmbeddedServer>): Promise<string> => {
  if (config.store.databaseUrl) return config.store.databaseUrl.reveal()
  const { adminUrl, urlFor } = await server()
  const { ensureDatabase } = await import('../store/embedded/embedded-server.ts')
  await ensureDatabase(adminUrl, OWN_DATABASE)
  return urlFor(OWN_DATABASE)
}

/** Opens the store and migrates it. */
export const openOwnStore = async (deps: {
  readonly config: Config
  readonly server: () => Promise<EmbeddedServer>
  readonly releasers: Releasers
  readonly log: Log
  readonly metrics?: Metrics
}): Promise<OwnStore> => {
  // Loaded here: a question that keeps nothing needs no database driver of ours.
  const [{ makeStore }, { makeCheckpoints }] = await Promise.all([
    import('../store/store.ts'),
    import('../store/checkpoints.ts'),
  ])
  const url = await ownStoreUrl(deps.config, deps.server)
  const bare = makeStore({ url, resultKey, log: deps.log, resultLimits: limitsOf(deps.config) })
  const store = deps.metrics ? withStoreMetrics(bare, deps.metrics, () => new Date()) : bare
  deps.releasers.push(() => store.close())
  const migrated = await store.migrate()
  const checkpoints = makeCheckpoints({ url, log: deps.log })
  deps.releasers.push(() => checkpoints.close())
  return { url, store, checkpoints, migrated }
}

const DAY_MS = 24 * 60 * 60 * 1000

const limitsOf = ({ retention }: Config): ResultLimits => ({
  ...defaultResultLimits,
  keepMs: retention.resultDays * DAY_MS,
})

/** Counts outcomes and votes when they are stored, so that callers need not. */
const withStoreMetrics = (store: Store, metrics: Metrics, now: () => Date): Store => {
  const { questions, votes } = store.repositories
  return {
    ...store,
    questionLog: withQuestionMetrics(store.questionLog, {
      ...{ metrics, now },
      isPlaced: async questionId => (await questions.find(questionId))?.place != null,
    }),
    repositories: {
      ...store.repositories,
      votes: {
        ...votes,
        upsert: async (given, tx) => {
          await votes.upsert(given, tx)
          metrics.vote(given.vote)
        },
      },
    },
  }
}

/** How long a question in memory may wait for the store, which it does not need. */
const MAX_WAIT_MS = 1_500

/** Reads from the store, or returns `otherwise` if it is unavailable. Rejects only when the signal fired. */
export type ReadIfReachable = <T>(
  read: (store: Store) => Promise<T>,
  options: { readonly otherwise: T; readonly signal?: AbortSignal },
) => Promise<T>

/**
 * The store for a question in memory, only if it is cheap to reach: `DATABASE_URL` names it, or the embedded server is
 * already running. Starting that server would take longer than many answers. Nothing is migrated; a store that is
 * unavailable or older counts as empty.
 */
export const makeReadIfReachable = (resources: Resources): ReadIfReachable => {
  const { config, server, releasers, log } = resources
  let isAway = false
  const open = once(async (): Promise<Store | null> => {
    if (!config.store.databaseUrl && !(await isServerRunning(config.home))) return null
    const { makeStore } = await import('../store/store.ts')
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
      log.debug({ error }, 'could not read the store; answering without it')
      return otherwise
    } finally {
      inTime.abort()
    }
  }
}

/** The accepted queries for a question in memory, if the store is cheap to reach. */
export const makeListReachableVerified =
  (reach: ReadIfReachable): ListVerified =>
  (database, { signal } = {}) =>
    reach(store => store.repositories.verifiedQueries.list({ database, status: 'accepted' }), {
      otherwise: [],
      ...(signal ? { signal } : {}),
    })
