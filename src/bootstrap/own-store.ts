import type { Config } from '../config/config.ts'
import type { Log, Metrics } from '../domain/operations/telemetry.ts'
import type { ListVerified } from '../domain/verified-query.ts'
import type { Releasers } from '../lib/releasers.ts'
import { resultKey } from '../ranking/result-key.ts'
import type { Checkpoints } from '../store/checkpoints.ts'
import type { EmbeddedServer } from '../store/embedded/embedded-server.ts'
import { isServerRunning } from '../store/embedded/server-process.ts'
import { type ReadIfReachable, readIfReachable } from '../store/reachable-store.ts'
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

/**
 * The store for a question in memory, only if it is cheap to reach: `DATABASE_URL` names it, or the embedded server is
 * already running. Starting that server would take longer than many answers. Nothing is migrated.
 */
export const makeReadIfReachable = ({
  config,
  server,
  releasers,
  log,
}: Pick<Resources, 'config' | 'server' | 'releasers' | 'log'>): ReadIfReachable =>
  readIfReachable(async () => {
    if (!config.store.databaseUrl && !(await isServerRunning(config.home))) return null
    const { makeStore } = await import('../store/store.ts')
    const store = makeStore({ url: await ownStoreUrl(config, server), resultKey })
    releasers.push(() => store.close())
    return store
  }, log)

/** The accepted queries for a question in memory, if the store is cheap to reach. */
export const makeListReachableVerified =
  (reach: ReadIfReachable): ListVerified =>
  (database, { signal } = {}) =>
    reach(store => store.repositories.verifiedQueries.list({ database, status: 'accepted' }), {
      otherwise: [],
      ...(signal ? { signal } : {}),
    })
