import { join } from 'node:path'
import { activeQuotas } from '../../app/questions/hold-reading.ts'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { QueryQuotas } from '../../core/reading-ledger.ts'
import type { CommandCaller, RunContext } from '../../core/run-context.ts'
import type { Releasers } from '../../lib/make-releasers.ts'
import { type AuditFile, makeAuditFile } from '../../store/audit-file/make-audit-file.ts'
import { makeMemoryUsageLedger } from '../../store/in-memory/reading-ledger.ts'
import { reserveAndRecord, settledUsage } from './reading-books.ts'
import { makeReserveUsage } from './reserve-reading.ts'
import { type BufferedAudit, makeStatementAudit } from './statement-audit.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Where statements are written down while there is no store: a folder of files in Querent's home. */
export const auditFolder = ({ home }: Pick<Config, 'home'>): string => join(home, 'audit')

/** The moment before which statements are no longer kept; null where they are for ever. */
const auditRetentionStart = ({ retention }: Pick<Config, 'retention'>, now: Date): Date | null =>
  retention.auditDays === null ? null : new Date(now.getTime() - retention.auditDays * DAY_MS)

/** Makes the files. */
export const makeConfiguredAuditFile = (config: Pick<Config, 'home' | 'retention'>): AuditFile =>
  makeAuditFile(auditFolder(config), { purgeBefore: () => auditRetentionStart(config, new Date()) })

/**
 * Has statements written to the files. It costs no more than a write to memory, so what measures a database waits for it
 * as well, and where it fails nothing is sent. What is read is counted against the budgets in memory, from nothing on.
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
    book: (...given) => reserveAndRecord(given, { ledger, insert: file.insert }),
  })
  const audit = makeStatementAudit({
    book: {
      ...file,
      finish: async ends => {
        await file.finish(ends)
        await ledger.settle(settledUsage(ends, timeZone))
      },
      advice: `Make ${auditFolder(config)} a folder that you may write to, with room on its disk, or set QUERENT_HOME to another place.`,
      isLocal: true,
    },
    ...{ currentContext, shell, now, log },
    ...(limits.length > 0 && { reserveReading }),
  })
  deps.releasers.push(() => audit.flush())
  return audit
}
