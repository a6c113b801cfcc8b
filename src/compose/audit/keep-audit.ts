import { makeCheckQuota } from '../../app/questions/check-reading.ts'
import { activeQuotas } from '../../app/questions/hold-reading.ts'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { CommandCaller, RunContext } from '../../core/run-context.ts'
import type { Releasers } from '../../lib/make-releasers.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import { withStatementMetrics } from '../telemetry/count-statements.ts'
import { makeConfiguredAuditFile } from './audit-in-file.ts'
import type { DeferredAudit } from './late-audit.ts'
import { withFileFallback } from './or-in-file.ts'
import { reserveAndRecord, settledUsage } from './reading-books.ts'
import { makeReserveUsage } from './reserve-reading.ts'
import { makeStatementAudit, type StatementOutcome } from './statement-audit.ts'

/**
 * Has every statement written to our store from now on, and counted against the budgets. What is still to be written goes
 * out before the store closes.
 */
export const startStoreAudit = (
  { store }: Pick<OwnStore, 'store'>,
  deps: {
    readonly config: Pick<Config, 'budget' | 'timeZone' | 'home' | 'retention'>
    readonly audit: DeferredAudit
    readonly currentContext: () => RunContext | null
    readonly shell: CommandCaller | null
    readonly metrics: Pick<Metrics, 'statement'>
    readonly releasers: Releasers
    readonly log: Log
  },
): void => {
  const { usageLedger: readingLedger, inTransaction } = store
  const { auditLog } = store.repositories
  const { budget, timeZone } = deps.config
  const now = (): Date => new Date()
  const limits = activeQuotas(budget)
  const checkReading = makeCheckQuota({
    ...{ limits: budget, now, timeZone },
    standingOf: readingLedger.usageOf,
  })
  const reserveReading = makeReserveUsage({
    ...{ limits, now, timeZone, log: deps.log },
    renew: readingLedger.renew,
    // Together: what is reserved is in the log, and costs no further journey.
    book: (...given) =>
      inTransaction(tx => reserveAndRecord(given, { ledger: readingLedger, insert: auditLog.insert, tx })),
  })
  const book = {
    insert: auditLog.insert,
    // Together, so that what is in the log is counted, and once.
    finish: (ends: readonly StatementOutcome[]): Promise<void> =>
      inTransaction(async tx => {
        await auditLog.finish(ends, tx)
        await readingLedger.settle(settledUsage(ends, timeZone), tx)
      }),
  }
  const audit = makeStatementAudit({
    book: {
      ...withFileFallback(book, makeConfiguredAuditFile(deps.config), deps.log),
      advice: 'Check DATABASE_URL and that its server runs.',
      isLocal: false,
    },
    currentContext: deps.currentContext,
    shell: deps.shell,
    ...(limits.length > 0 && { reserveReading }),
    now,
    log: deps.log,
  })
  deps.audit.attach(withStatementMetrics(audit, deps), checkReading)
  deps.releasers.push(() => audit.flush())
}
