import { type CheckHealthPart, type HealthPart, NOT_STARTED } from '../../core/health.ts'
import { shippedVersion } from '../../core/selector-version.ts'
import { makeReadQueueStats } from '../../jobs/read-queues.ts'
import type { SlackSurface } from '../../slack/app.ts'
import type { MetricGauges } from '../../telemetry/make-metrics.ts'
import type { OwnStore } from '../store/open-own-store.ts'

/** Where a bot stands between its start and its end. */
export type BotPhase = 'starting' | 'working' | 'stopping'

/** What operators see of a bot. */
export interface ObservedBot {
  readonly checks: Readonly<Record<HealthPart, CheckHealthPart>>
  readonly readings: () => Promise<MetricGauges>
}

/** Makes what operators see of a bot whose default database is open. */
export const observeBot = (deps: {
  readonly own: Pick<OwnStore, 'store'>
  readonly surface: Pick<SlackSurface, 'isConnected'>
  readonly phase: () => BotPhase
}): ObservedBot => {
  const { inTransaction, executeIn, repositories, pendingMigrations, ping } = deps.own.store
  const readQueues = makeReadQueueStats((sql, values) => inTransaction(tx => executeIn(tx, sql, values)))
  let migrated = false
  return {
    checks: {
      store: async () => {
        await ping()
        return null
      },
      // What has run once does not come undone: no need to ask again.
      migrations: async () => {
        migrated ||= (await pendingMigrations()).length === 0
        return migrated ? null : 'migrations have not run: npm run -s querent -- migrate'
      },
      queue: async () => describePhase(deps.phase()),
      slack: async () => {
        if (deps.surface.isConnected()) return null
        return deps.phase() === 'starting' ? NOT_STARTED : 'is not connected'
      },
      // A bot is made once its default database is open. Whether it answers now is for the answers to say: a bot that is
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
      return 'takes nothing new: the bot stops'
    default: {
      const never: never = phase
      return never
    }
  }
}
