import { makeCheckReading } from '../../app/questions/check-reading.ts'
import { limitsThatHold } from '../../app/questions/hold-reading.ts'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { RunContext, Shell } from '../../core/run-context.ts'
import type { Releasers } from '../../lib/make-releasers.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import { countStatements } from '../telemetry/count-statements.ts'
import { auditFileOf } from './audit-in-file.ts'
import type { LateAudit } from './late-audit.ts'
import { orInFile } from './or-in-file.ts'
import { reserveAndInsert, settledReadings } from './reading-books.ts'
import { makeReserveReading } from './reserve-reading.ts'
import { type BookedEnd, makeBookedAudit } from './statement-audit.ts'

/**
 * Has every statement written to our store from now on, and counted against the budgets. What is still to be written goes
 * out before the store closes.
 */
export const keepAudit = (
  { store }: Pick<OwnStore, 'store'>,
  deps: {
    readonly config: Pick<Config, 'budget' | 'timeZone' | 'home' | 'retention'>
    readonly audit: LateAudit
    readonly currentContext: () => RunContext | null
    readonly shell: Shell | null
    readonly metrics: Pick<Metrics, 'statement'>
    readonly releasers: Releasers
    readonly log: Log
  },
): void => {
  const { readingLedger, inTransaction } = store
  const { auditLog } = store.repositories
  const { budget, timeZone } = deps.config
  const now = (): Date => new Date()
  const limits = limitsThatHold(budget)
  const checkReading = makeCheckReading({
    ...{ limits: budget, now, timeZone },
    standingOf: readingLedger.standingOf,
  })
  const reserveReading = makeReserveReading({
    ...{ limits, now, timeZone, log: deps.log },
    renew: readingLedger.renew,
    // Together: what is reserved is in the log, and costs no further journey.
    book: (...given) =>
      inTransaction(tx => reserveAndInsert(given, { ledger: readingLedger, insert: auditLog.insert, tx })),
  })
  const book = {
    insert: auditLog.insert,
    // Together, so that what is in the log is counted, and once.
    finish: (ends: readonly BookedEnd[]): Promise<void> =>
      inTransaction(async tx => {
        await auditLog.finish(ends, tx)
        await readingLedger.settle(settledReadings(ends, timeZone), tx)
      }),
  }
  const audit = makeBookedAudit({
    book: {
      ...orInFile(book, auditFileOf(deps.config), deps.log),
      advice: 'Check DATABASE_URL and that its server runs.',
      isNear: false,
    },
    currentContext: deps.currentContext,
    shell: deps.shell,
    ...(limits.length > 0 && { reserveReading }),
    now,
    log: deps.log,
  })
  deps.audit.attach(countStatements(audit, deps), checkReading)
  deps.releasers.push(() => audit.flush())
}
