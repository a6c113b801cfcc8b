import type { Config } from '../../config/config.ts'
import { healthParts } from '../../core/health.ts'
import type { Log } from '../../core/log.ts'
import { type Metrics, noMetrics } from '../../core/metrics.ts'
import type { ObservedBot } from './watch-bot.ts'

/** The port for operators, open from before the bot starts until after it has stopped. */
export interface Operations {
  readonly metrics: Metrics
  /** Null where nothing is served. */
  readonly port: number | null
  watch(bot: ObservedBot): void
  /** From now on the bot is not ready. */
  drain(): void
  close(): Promise<void>
}

/** Opens it where the configuration says; counts and serves nothing where it says 0. */
export const openOperations = async ({ operations }: Config, log: Log): Promise<Operations> => {
  const { host, port } = operations
  if (port === null) {
    return { metrics: noMetrics, port, watch: () => {}, drain: () => {}, close: async () => {} }
  }
  const [{ makeMetrics }, { makeReadiness }, { serveOperations }] = await Promise.all([
    import('../../telemetry/make-metrics.ts'),
    import('../../telemetry/make-readiness.ts'),
    import('../../telemetry/serve-operations.ts'),
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
