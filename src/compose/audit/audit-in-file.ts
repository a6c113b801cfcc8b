import { join } from 'node:path'
import { limitsThatHold } from '../../app/questions/hold-reading.ts'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { ReadingLimits } from '../../core/reading-ledger.ts'
import type { RunContext, Shell } from '../../core/run-context.ts'
import type { Releasers } from '../../lib/make-releasers.ts'
import { type AuditFile, makeAuditFile } from '../../store/audit-file/make-audit-file.ts'
import { makeMemoryReadingLedger } from '../../store/in-memory/reading-ledger.ts'
import { reserveAndInsert, settledReadings } from './reading-books.ts'
import { makeReserveReading } from './reserve-reading.ts'
import { type BookedAudit, makeBookedAudit } from './statement-audit.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** Where statements are written down while there is no store: a folder of files in Querent's home. */
export const auditFolder = ({ home }: Pick<Config, 'home'>): string => join(home, 'audit')

/** The moment before which statements are no longer kept; null where they are for ever. */
const auditKeptFrom = ({ retention }: Pick<Config, 'retention'>, now: Date): Date | null =>
  retention.auditDays === null ? null : new Date(now.getTime() - retention.auditDays * DAY_MS)

/** Makes the files. */
export const auditFileOf = (config: Pick<Config, 'home' | 'retention'>): AuditFile =>
  makeAuditFile(auditFolder(config), { purgeBefore: () => auditKeptFrom(config, new Date()) })

/**
 * Has statements written to the files. It costs no more than a write to memory, so what measures a database waits for it
 * as well, and where it fails nothing is sent. What is read is counted against the budgets in memory, from nothing on.
 */
export const auditInFile = (deps: {
  readonly config: Pick<Config, 'home' | 'retention' | 'timeZone'> & { readonly budget: ReadingLimits }
  readonly currentContext: () => RunContext | null
  readonly shell: Shell | null
  readonly releasers: Releasers
  readonly log: Log
}): BookedAudit => {
  const { config, currentContext, shell, log } = deps
  const { timeZone } = config
  const now = (): Date => new Date()
  const file = auditFileOf(config)
  const ledger = makeMemoryReadingLedger({ now: Date.now })
  const limits = limitsThatHold(config.budget)
  const reserveReading = makeReserveReading({
    ...{ limits, now, timeZone, log },
    renew: ledger.renew,
    book: (...given) => reserveAndInsert(given, { ledger, insert: file.insert }),
  })
  const audit = makeBookedAudit({
    book: {
      ...file,
      finish: async ends => {
        await file.finish(ends)
        await ledger.settle(settledReadings(ends, timeZone))
      },
      advice: `Make ${auditFolder(config)} a folder that you may write to, with room on its disk, or set QUERENT_HOME to another place.`,
      isNear: true,
    },
    ...{ currentContext, shell, now, log },
    ...(limits.length > 0 && { reserveReading }),
  })
  deps.releasers.push(() => audit.flush())
  return audit
}
