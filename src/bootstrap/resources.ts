import { warehouseSchema } from '../../fixtures/warehouse/warehouse-schema.ts'
import { makeRightsRegistry, type RightsRegistry } from '../access/rights/rights-registry.ts'
import { makeDeferredAudit } from '../audit/audit-sinks.ts'
import { makeRunContexts } from '../audit/run-contexts.ts'
import type { CheckQuota } from '../budget/quota.ts'
import type { Config } from '../config/config.ts'
import { withGlossaries } from '../databases/knowledge/open-with-knowledge.ts'
import type { OpenDatabaseByName } from '../domain/database.ts'
import type { ListLayerDecisions } from '../domain/metrics/layer-decision.ts'
import type { CommandCaller, InRunContext, StatementAudit } from '../domain/operations/audit.ts'
import {
  type InLogContext,
  type InSpan,
  type Log,
  type Metrics,
  noMetrics,
  type OnProgress,
  withoutLogContext,
} from '../domain/operations/telemetry.ts'
import { once } from '../lib/once.ts'
import { makeReleasers, type Releasers } from '../lib/releasers.ts'
import type { BuiltLayer } from '../semantic-layer/build/build-layer.ts'
import { makeSemanticLayers, type SemanticLayers } from '../semantic-layer/open-with-layer.ts'
import type { EmbeddedServer } from '../store/embedded/embedded-server.ts'
import type { ReadIfReachable } from '../store/reachable-store.ts'
import { withSpanTimings } from '../telemetry/instrumentation.ts'
import {
  type Databases,
  makeDatabases,
  makeDeferredSharedIndexes,
  sampleCompany,
  shippedLayerFiles,
} from './databases/databases.ts'
import { makeMaskSecret, maskSecretName } from './databases/mask-secret.ts'
import { openSpans } from './operations.ts'
import { makeReadIfReachable, type OwnStore, openOwnStore } from './own-store.ts'
import { makeFileAudit, startStoreAudit } from './statement-audit.ts'

/**
 * The composition root: together with its folder, the one place that knows which implementation is behind which port.
 * The server, the command line, benchmarks and tests share it. `bootstrap/answering` builds what answers questions,
 * `bot.ts` the bot.
 */

/** What everything else is built from. Servers and stores start on first use. */
export interface Resources {
  readonly config: Config
  readonly log: Log
  readonly releasers: Releasers
  readonly server: () => Promise<EmbeddedServer>
  readonly ownStore: () => Promise<OwnStore>
  /** Reads the store if that is cheap, for what works without one. */
  readonly readIfReachable: ReadIfReachable
  /** Where spans go; nowhere without a collector. */
  readonly inSpan: () => Promise<InSpan>
  /** The metrics; discarded if they are not served. */
  readonly metrics: Metrics
  /** Adds fields to every log line written within some work. */
  readonly inLogContext: InLogContext
  /** Records every statement sent to a connected database; passed to every connection. */
  readonly audit: StatementAudit
  /** Records statements within the work for this context. */
  readonly inRunContext: InRunContext
  /** Rejects if nothing more can be read in a context. */
  readonly checkQuota: CheckQuota
  readonly openDatabase: OpenDatabaseByName
  /** The rights behind the keys in references to databases, as they were decided in this process. */
  readonly rightsRegistry: RightsRegistry
  /** Gives databases that are changed after they were opened a layer that fits: accepted rules add terms. */
  readonly withSemanticLayers: SemanticLayers['withLayers']
  /** The semantic layer of a database with its problems; null without files, terms and decisions about it. */
  readonly readSemanticLayer: (name: string, options?: { signal?: AbortSignal }) => Promise<BuiltLayer | null>
  readonly invalidateSemanticLayer: SemanticLayers['invalidate']
  /**
   * Counts what admins decided about proposals, for commands that do not open the store. Others do not count it: an
   * evaluation must not depend on what is in the store.
   */
  readonly includeStoredDecisions: () => void
  readonly openAhead: Databases['openAhead']
  readonly readSchema: Databases['readSchema']
  readonly indexDatabase: Databases['index']
  readonly reportOnDatabase: Databases['report']
  readonly invalidateDatabase: Databases['invalidate']
  readonly onDatabaseMeasured: Databases['onMeasured']
  /** URL of the sample company's reader; the sample company is built on first use. */
  readonly sampleCompanyUrl: () => Promise<string>
  /** Releases everything, last created first. */
  readonly release: () => Promise<void>
}

/** Creates the resources. `asOf` is the last day of the sample company's data, `YYYY-MM-DD`. */
export const makeResources = (
  config: Config,
  options: {
    readonly log: Log
    readonly asOf: string
    readonly onProgress?: OnProgress
    readonly metrics?: Metrics
    readonly inLogContext?: InLogContext
    /** The shell command; left out for a bot. */
    readonly shell?: CommandCaller
  },
): Resources => {
  const { log, asOf, onProgress = () => {}, metrics = noMetrics, inLogContext = withoutLogContext } = options
  const { shell = null } = options
  const releasers = makeReleasers()
  const server = once(async () => {
    const { startEmbeddedServer } = await import('../store/embedded/embedded-server.ts')
    const started = await startEmbeddedServer({ home: config.home, log })
    releasers.push(() => started.stop())
    return started
  })
  const sampleCompanyUrl = once(async () => {
    const { buildSampleCompanyOn } = await import('./databases/sample-company.ts')
    return buildSampleCompanyOn(await server(), { asOf, onProgress, log })
  })
  const inSpan = once(async () => withSpanTimings(await openSpans(config, releasers), metrics.stage))
  const { inRunContext, currentContext } = makeRunContexts()
  const audit = makeDeferredAudit(makeFileAudit({ config, currentContext, shell, releasers, log }))
  const sharedIndexes = makeDeferredSharedIndexes()
  const maskSecret = makeMaskSecret(config.home)
  const rightsRegistry = makeRightsRegistry()
  const databases = makeDatabases({
    config,
    findRights: rightsRegistry.find,
    sharedIndexes,
    readMaskSecret: maskSecret.read,
    sampleCompanyUrl,
    sampleCompanyVersion: `${warehouseSchema.version} ${asOf}`,
    releasers,
    onProgress,
    audit,
    inSpan: async (...given) => (await inSpan())(...given),
    log,
  })
  const decisions: { list: ListLayerDecisions | null } = { list: null }
  const readIfReachable = makeReadIfReachable({ config, server, releasers, log })
  const layers = makeSemanticLayers({
    folder: config.semanticFolder,
    listDecisions: async database => (await decisions.list?.(database)) ?? [],
    moreFiles: shippedLayerFiles,
    databases: [sampleCompany, ...Object.keys(config.databases)],
    today: () => asOf,
    timeZone: config.timeZone,
    now: Date.now,
    log,
  })
  const openDatabase = layers.withLayers(
    withGlossaries(databases.open, {
      knowledgeFolder: config.knowledgeFolder,
      isName: name => name === sampleCompany || Object.hasOwn(config.databases, name),
      log,
    }),
  )
  return {
    config,
    log,
    releasers,
    server,
    ownStore: once(async () => {
      const { makeSharedIndexes } = await import('../store/repositories/shared-indexes.ts')
      const own = await openOwnStore({ config, server, releasers, log, metrics })
      startStoreAudit(own, { config, audit, currentContext, shell, releasers, log, metrics })
      sharedIndexes.begin(makeSharedIndexes(own.store))
      maskSecret.begin(() => own.store.repositories.secrets.findOrMake(maskSecretName))
      decisions.list = database => own.store.repositories.layerDecisions.listLast(database)
      return own
    }),
    sampleCompanyUrl,
    inSpan,
    audit,
    inRunContext,
    checkQuota: audit.checkQuota,
    metrics,
    inLogContext,
    openDatabase,
    rightsRegistry,
    withSemanticLayers: layers.withLayers,
    readIfReachable,
    invalidateSemanticLayer: layers.invalidate,
    includeStoredDecisions: () => {
      decisions.list ??= database =>
        // A store that was not migrated yet has none.
        readIfReachable(store => store.repositories.layerDecisions.listLast(database).catch(() => []), {
          otherwise: [],
        })
      layers.invalidate()
    },
    readSemanticLayer: async (name, options) => layers.read(name, await openDatabase(name, options)),
    openAhead: databases.openAhead,
    readSchema: databases.readSchema,
    indexDatabase: databases.index,
    reportOnDatabase: databases.report,
    invalidateDatabase: databases.invalidate,
    onDatabaseMeasured: databases.onMeasured,
    release: () => releasers.release(),
  }
}
