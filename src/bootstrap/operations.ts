import { randomUUID } from 'node:crypto'
import type { Config } from '../config/config.ts'
import {
  type CheckHealthPart,
  type HealthPart,
  healthParts,
  type InSpan,
  type Log,
  type Metrics,
  NOT_STARTED,
  noMetrics,
  withoutSpans,
} from '../domain/operations/telemetry.ts'
import { shippedVersion } from '../domain/selection/ranking.ts'
import { makeReadQueueStats } from '../jobs/pg-boss-tables.ts'
import { ownCommand } from '../lib/project.ts'
import type { Releasers } from '../lib/releasers.ts'
import type { SlackSurface } from '../slack/app.ts'
import type { MetricGauges } from '../telemetry/metrics.ts'
import type { OwnStore } from './own-store.ts'

/** The server for operators, open from before the bot starts until after it has stopped. */
interface Operations {
  readonly metrics: Metrics
  /** Null if nothing is served. */
  readonly port: number | null
  watch(bot: ObservedBot): void
  /** Marks the bot as not ready. */
  drain(): void
  close(): Promise<void>
}

/** Opens the server if it is configured; with port 0 nothing is counted or served. */
export const openOperations = async ({ operations }: Config, log: Log): Promise<Operations> => {
  const { host, port } = operations
  if (port === null) {
    return { metrics: noMetrics, port, watch: () => {}, drain: () => {}, close: async () => {} }
  }
  const [{ makeMetrics }, { makeReadiness }, { serveOperations }] = await Promise.all([
    import('../telemetry/metrics.ts'),
    import('../telemetry/operations-server.ts'),
    import('../telemetry/operations-server.ts'),
  ])
  const served = makeMetrics({ log })
  const readiness = makeReadiness(log)
  const server = await serveOperations({ host, port, look: readiness.look, metrics: served, log })
  log.info({ host, port: server.port }, 'health and metrics are served')
  return {
    metrics: served.metrics,
    port: server.port,
    watch: ({ checks, readings }) => {
      for (const part of healthParts) readiness.watch(part, checks[part])
      served.readFrom(readings)
    },
    drain: readiness.drain,
    close: server.close,
  }
}

/** Phase of a bot. */
export type BotPhase = 'starting' | 'working' | 'stopping'

/** Health checks and metrics of a bot. */
export interface ObservedBot {
  readonly checks: Readonly<Record<HealthPart, CheckHealthPart>>
  readonly readings: () => Promise<MetricGauges>
}

/** Health checks and metrics of a bot whose default database is open. */
export const observeBot = (deps: {
  readonly own: Pick<OwnStore, 'store'>
  readonly surface: Pick<SlackSurface, 'isConnected'>
  readonly phase: () => BotPhase
  /** Why requests of Slack cannot be checked by our clock; null if they can. */
  readonly checkClock: () => Promise<string | null>
}): ObservedBot => {
  const { inTransaction, executeIn, repositories, pendingMigrations, ping } = deps.own.store
  const readQueues = makeReadQueueStats((sql, values) => inTransaction(tx => executeIn(tx, sql, values)))
  let migrated = false
  /** Writes something and takes it back. A store without its tables is reported by the migrations. */
  const canWrite = async (): Promise<boolean> => {
    if (!migrated) return true
    class TakenBack extends Error {}
    try {
      await inTransaction(async tx => {
        await repositories.inboundMessages.claim(`readiness ${randomUUID()}`, tx)
        throw new TakenBack()
      })
    } catch (error) {
      return error instanceof TakenBack
    }
    return true
  }
  return {
    checks: {
      store: async () => {
        await ping()
        return (await canWrite()) ? null : 'cannot write: it is read-only, or its disk is full'
      },
      // Migrations that have run stay: no need to check again.
      migrations: async () => {
        migrated ||= (await pendingMigrations()).length === 0
        return migrated ? null : `migrations have not run: ${ownCommand('migrate')}`
      },
      queue: async () => describePhase(deps.phase()),
      slack: async () => {
        if (deps.surface.isConnected()) return deps.checkClock()
        return deps.phase() === 'starting' ? NOT_STARTED : 'is not connected'
      },
      // A bot is created once its default database is open. Whether the database works now shows in the answers: a bot
      // taken out of service because a warehouse is down could not even say so.
      database: async () => null,
    },
    readings: async () => {
      const [queues, champion] = await Promise.all([
        readQueues(),
        repositories.selectorVersions.findChampion(),
      ])
      return { queues, selectorVersion: champion?.version ?? shippedVersion }
    },
  }
}

const describePhase = (phase: BotPhase): string | null => {
  switch (phase) {
    case 'starting':
      return NOT_STARTED
    case 'working':
      return null
    case 'stopping':
      return 'takes no new work because the bot is stopping'
    default: {
      const never: never = phase
      return never
    }
  }
}

/** Spans for the configured collector, flushed on release; no spans without one. */
export const openSpans = async ({ telemetry }: Config, releasers: Releasers): Promise<InSpan> => {
  if (telemetry.collector === null) return withoutSpans
  const { endpoint, headers } = telemetry.collector
  const { makeSpans } = await import('../telemetry/spans.ts')
  const spans = await makeSpans({ endpoint, headers: headers?.reveal() ?? null })
  releasers.push(() => spans.close())
  return spans.inSpan
}
