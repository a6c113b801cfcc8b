import { warehouseSchema } from '../fixtures/warehouse/warehouse-schema.ts'
import type { CheckQuota } from './app/questions/check-reading.ts'
import { makeFileAudit } from './compose/audit/audit-in-file.ts'
import { startStoreAudit } from './compose/audit/keep-audit.ts'
import { makeDeferredAudit } from './compose/audit/late-audit.ts'
import { makeRunContexts } from './compose/audit/run-contexts.ts'
import { makeDeferredSharedIndexes } from './compose/databases/late-indexes.ts'
import {
  type Databases,
  makeDatabases,
  type OpenDatabaseByName,
  sampleCompany,
} from './compose/databases/make-databases.ts'
import { makeSampleCompany } from './compose/databases/make-sample-company.ts'
import { withGlossaries } from './compose/databases/with-glossaries.ts'
import { once } from './compose/once.ts'
import type { OnProgress } from './compose/progress.ts'
import { type OwnStore, openOwnStore } from './compose/store/open-own-store.ts'
import { openSpans } from './compose/telemetry/open-spans.ts'
import type { Config } from './config/config.ts'
import { type InLogContext, type Log, withoutLogContext } from './core/log.ts'
import { type Metrics, noMetrics } from './core/metrics.ts'
import type { CommandCaller, InRunContext } from './core/run-context.ts'
import type { InSpan } from './core/span.ts'
import type { StatementAudit } from './core/statement-audit.ts'
import { makeReleasers, type Releasers } from './lib/make-releasers.ts'
import { type EmbeddedServer, startEmbeddedServer } from './store/embedded/start-embedded-server.ts'
import { makeSharedIndexes } from './store/shared-indexes.ts'
import { withSpanTimings } from './telemetry/time-spans.ts'

/**
 * The composition root: with its rooms in src/compose/, the one place that knows which implementation stands behind
 * which port. Shared by the server, the command line, benchmarks and tests. What answers a question is wired in
 * compose/answering/, the bot in compose/bot/.
 */

/** What everything else is made of. Servers and stores start when they are first asked for. */
export interface Resources {
  readonly config: Config
  readonly log: Log
  readonly releasers: Releasers
  readonly server: () => Promise<EmbeddedServer>
  readonly ownStore: () => Promise<OwnStore>
  /** Where spans go; they go nowhere without a collector. */
  readonly inSpan: () => Promise<InSpan>
  /** What operators count; nothing where nobody serves it. */
  readonly metrics: Metrics
  /** Puts fields on every line of the log that is written within some work. */
  readonly inLogContext: InLogContext
  /** Is told of every statement that is sent to a database that people ask about; whoever connects to one hands it on. */
  readonly audit: StatementAudit
  /** Statements within the work are booked on this context. */
  readonly inRunContext: InRunContext
  /** Rejects where nothing more may be read on a context. */
  readonly checkQuota: CheckQuota
  readonly openDatabase: OpenDatabaseByName
  readonly readSchema: Databases['readSchema']
  readonly indexDatabase: Databases['index']
  readonly reportOnDatabase: Databases['report']
  readonly invalidateDatabase: Databases['invalidate']
  readonly onDatabaseMeasured: Databases['onMeasured']
  /** URL of the reader of the sample company, which is built when it is first asked for. */
  readonly sampleCompanyUrl: () => Promise<string>
  /** Gives everything back, last made first. */
  readonly release: () => Promise<void>
}

/** Makes the resources. `asOf` is the day up to which the sample company's books go, `YYYY-MM-DD`. */
export const makeResources = (
  config: Config,
  options: {
    readonly log: Log
    readonly asOf: string
    readonly onProgress?: OnProgress
    readonly metrics?: Metrics
    readonly inLogContext?: InLogContext
    /** The command that all of it is for; none where a bot runs. */
    readonly shell?: CommandCaller
  },
): Resources => {
  const { log, asOf, onProgress = () => {}, metrics = noMetrics, inLogContext = withoutLogContext } = options
  const { shell = null } = options
  const releasers = makeReleasers()
  const server = once(async () => {
    const started = await startEmbeddedServer({ home: config.home, log })
    releasers.push(() => started.stop())
    return started
  })
  const sampleCompanyUrl = once(makeSampleCompany({ server, asOf, onProgress, log }))
  const inSpan = once(async () => withSpanTimings(await openSpans(config, releasers), metrics.stage))
  const { inRunContext, currentContext } = makeRunContexts()
  const audit = makeDeferredAudit(makeFileAudit({ config, currentContext, shell, releasers, log }))
  const sharedIndexes = makeDeferredSharedIndexes()
  const databases = makeDatabases({
    config,
    sharedIndexes,
    sampleCompanyUrl,
    sampleCompanyVersion: `${warehouseSchema.version} ${asOf}`,
    releasers,
    onProgress,
    audit,
    inSpan: async (...given) => (await inSpan())(...given),
    log,
  })
  return {
    config,
    log,
    releasers,
    server,
    ownStore: once(async () => {
      const own = await openOwnStore({ config, server, releasers, log, metrics })
      startStoreAudit(own, { config, audit, currentContext, shell, releasers, log, metrics })
      sharedIndexes.begin(makeSharedIndexes(own.store))
      return own
    }),
    sampleCompanyUrl,
    inSpan,
    audit,
    inRunContext,
    checkQuota: audit.checkQuota,
    metrics,
    inLogContext,
    openDatabase: withGlossaries(databases.open, {
      knowledgeFolder: config.knowledgeFolder,
      isName: name => name === sampleCompany || Object.hasOwn(config.databases, name),
      log,
    }),
    readSchema: databases.readSchema,
    indexDatabase: databases.index,
    reportOnDatabase: databases.report,
    invalidateDatabase: databases.invalidate,
    onDatabaseMeasured: databases.onMeasured,
    release: () => releasers.release(),
  }
}
