import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { Releasers } from '../../lib/make-releasers.ts'
import { resultKey } from '../../selection/result-key.ts'
import { type Checkpoints, makeCheckpoints } from '../../store/checkpoints.ts'
import { ensureDatabase } from '../../store/embedded/ensure-database.ts'
import type { EmbeddedServer } from '../../store/embedded/start-embedded-server.ts'
import { makeStore, type Store } from '../../store/make-store.ts'
import { defaultResultLimits, type ResultLimits } from '../../store/results/save-result.ts'
import { withStoreMetrics } from '../telemetry/count-in-store.ts'

/** Our own Postgres, migrated: the store, the checkpoints on the same database, and its URL for the queue. */
export interface OwnStore {
  readonly url: string
  readonly store: Store
  readonly checkpoints: Checkpoints
  /** Names of the migrations that opening it ran. */
  readonly migrated: readonly string[]
}

/** The database of our own on the embedded server. */
const OWN_DATABASE = 'querent'

/** Where our own Postgres is: `DATABASE_URL`, else a database of the embedded server, made when missing. */
export const ownStoreUrl = async (config: Config, server: () => Promise<EmbeddedServer>): Promise<string> => {
  if (config.store.databaseUrl) return config.store.databaseUrl.reveal()
  const { adminUrl, urlFor } = await server()
  await ensureDatabase(adminUrl, OWN_DATABASE)
  return urlFor(OWN_DATABASE)
}

/** Opens it and brings its schema up to date. */
export const openOwnStore = async (deps: {
  readonly config: Config
  readonly server: () => Promise<EmbeddedServer>
  readonly releasers: Releasers
  readonly log: Log
  readonly metrics?: Metrics
}): Promise<OwnStore> => {
  const url = await ownStoreUrl(deps.config, deps.server)
  const bare = makeStore({ url, resultKey, log: deps.log, resultLimits: limitsOf(deps.config) })
  const store = deps.metrics ? withStoreMetrics(bare, deps.metrics, () => new Date()) : bare
  deps.releasers.push(() => store.close())
  const migrated = await store.migrate()
  const checkpoints = await makeCheckpoints({ url, log: deps.log })
  deps.releasers.push(() => checkpoints.close())
  return { url, store, checkpoints, migrated }
}

const DAY_MS = 24 * 60 * 60 * 1000

const limitsOf = ({ retention }: Config): ResultLimits => ({
  ...defaultResultLimits,
  keepMs: retention.resultDays * DAY_MS,
})
