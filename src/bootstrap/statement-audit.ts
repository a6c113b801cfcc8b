import { join } from 'node:path'
import { type DeferredAudit, reserveAndRecord, settledUsage, withFileFallback } from '../audit/audit-sinks.ts'
import { type BufferedAudit, makeStatementAudit, type StatementOutcome } from '../audit/statement-audit.ts'
import { activeQuotas, makeCheckQuota } from '../budget/quota.ts'
import { makeReserveUsage } from '../budget/reserve-usage.ts'
import type { Config } from '../config/config.ts'
import type { CommandCaller, RunContext } from '../domain/operations/audit.ts'
import type { Log, Metrics } from '../domain/operations/telemetry.ts'
import type { QueryQuotas } from '../domain/operations/usage.ts'
import type { Releasers } from '../lib/releasers.ts'
import { type AuditFile, makeAuditFile } from '../store/audit-file/audit-file.ts'
import { makeMemoryUsageLedger } from '../store/usage-ledger.ts'
import { withStatementMetrics } from '../telemetry/instrumentation.ts'
import type { OwnStore } from './own-store.ts'

/**
 * Writes every statement to the store and counts it against quotas. What is left is written before the store closes.
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
    usageOf: readingLedger.usageOf,
  })
  const reserveReading = makeReserveUsage({
    ...{ limits, now, timeZone, log: deps.log },
    renew: readingLedger.renew,
    // One transaction: what is reserved is also in the log, at no extra round trip.
    ledger: (...given) =>
      inTransaction(tx => reserveAndRecord(given, { ledger: readingLedger, insert: auditLog.insert, tx })),
  })
  const book = {
    insert: auditLog.insert,
    // One transaction, so that what is in the log is counted exactly once.
    finish: (ends: readonly StatementOutcome[]): Promise<void> =>
      inTransaction(async tx => {
        await auditLog.finish(ends, tx)
        await readingLedger.settle(settledUsage(ends, timeZone), tx)
      }),
  }
  const audit = makeStatementAudit({
    sink: {
      ...withFileFallback(book, makeConfiguredAuditFile(deps.config), deps.log),
      advice: 'Check DATABASE_URL and that its server is running.',
      isLocal: false,
    },
    currentContext: deps.currentContext,
    shell: deps.shell,
    ...(limits.length > 0 && { reserveUsage: reserveReading }),
    now,
    log: deps.log,
  })
  deps.audit.attach(withStatementMetrics(audit, deps), checkReading)
  deps.releasers.push(() => audit.flush())
}

const DAY_MS = 24 * 60 * 60 * 1000

/** Where statements are recorded without a store: a folder in Querent's home. */
export const auditFolder = ({ home }: Pick<Config, 'home'>): string => join(home, 'audit')

/** The moment before which statements are deleted; null to keep them forever. */
const auditRetentionStart = ({ retention }: Pick<Config, 'retention'>, now: Date): Date | null =>
  retention.auditDays === null ? null : new Date(now.getTime() - retention.auditDays * DAY_MS)

const makeConfiguredAuditFile = (config: Pick<Config, 'home' | 'retention'>): AuditFile =>
  makeAuditFile(auditFolder(config), { purgeBefore: () => auditRetentionStart(config, new Date()) })

/**
 * Writes statements to files. That costs no more than a write to memory, so profiling statements wait for it too, and
 * if it fails nothing is sent. Quotas are counted in memory, from zero.
 */
export const makeFileAudit = (deps: {
  readonly config: Pick<Config, 'home' | 'retention' | 'timeZone'> & { readonly budget: QueryQuotas }
  readonly currentContext: () => RunContext | null
  readonly shell: CommandCaller | null
  readonly releasers: Releasers
  readonly log: Log
}): BufferedAudit => {
  const { config, currentContext, shell, log } = deps
  const { timeZone } = config
  const now = (): Date => new Date()
  const file = makeConfiguredAuditFile(config)
  const ledger = makeMemoryUsageLedger({ now: Date.now })
  const limits = activeQuotas(config.budget)
  const reserveReading = makeReserveUsage({
    ...{ limits, now, timeZone, log },
    renew: ledger.renew,
    ledger: (...given) => reserveAndRecord(given, { ledger, insert: file.insert }),
  })
  const audit = makeStatementAudit({
    sink: {
      ...file,
      finish: async ends => {
        await file.finish(ends)
        await ledger.settle(settledUsage(ends, timeZone))
      },
      advice: `Make ${auditFolder(config)} a writable folder with free disk space, or set QUERENT_HOME to another folder.`,
      isLocal: true,
    },
    ...{ currentContext, shell, now, log },
    ...(limits.length > 0 && { reserveUsage: reserveReading }),
  })
  deps.releasers.push(() => audit.flush())
  return audit
}
