import { makeCheckReading } from '../../app/questions/check-reading.ts'
import type { Config } from '../../config/config.ts'
import type { Log } from '../../core/log.ts'
import type { Metrics } from '../../core/metrics.ts'
import type { RunContext, Shell } from '../../core/run-context.ts'
import { dayOf } from '../../lib/day-of.ts'
import type { Releasers } from '../../lib/make-releasers.ts'
import type { OwnStore } from '../store/open-own-store.ts'
import { countStatements } from '../telemetry/count-statements.ts'
import type { LateAudit } from './late-audit.ts'
import { makeBookedAudit } from './statement-audit.ts'

/**
 * Has every statement written to our store from now on, and counted against the budgets. What is still to be written goes
 * out before the store closes.
 */
export const keepAudit = (
  { store }: Pick<OwnStore, 'store'>,
  deps: {
    readonly config: Pick<Config, 'budget' | 'timeZone'>
    readonly audit: LateAudit
    readonly currentContext: () => RunContext | null
    readonly shell: Shell | null
    readonly metrics: Pick<Metrics, 'statement'>
    readonly releasers: Releasers
    readonly log: Log
  },
): void => {
  const { auditLog, budgetUsage } = store.repositories
  const { budget, timeZone } = deps.config
  const now = (): Date => new Date()
  const checkReading = makeCheckReading({
    limits: budget,
    readingOn: budgetUsage.readingOn,
    readFor: auditLog.spentOn,
    now,
    timeZone,
  })
  const audit = makeBookedAudit({
    book: {
      advice: 'Check DATABASE_URL and that its server runs.',
      isNear: false,
      insert: auditLog.insert,
      // Together, so that what is in the log is counted, and once.
      finish: ends =>
        store.inTransaction(async tx => {
          await auditLog.finish(ends, tx)
          await budgetUsage.addReadings(
            ends.flatMap(({ account, at, rows, milliseconds }) =>
              account === null
                ? []
                : [
                    {
                      day: dayOf(at, timeZone),
                      person: account.person,
                      channel: account.channel,
                      rows: rows ?? 0,
                      milliseconds,
                    },
                  ],
            ),
            tx,
          )
        }),
    },
    currentContext: deps.currentContext,
    shell: deps.shell,
    checkBudget: checkReading,
    now,
    log: deps.log,
  })
  deps.audit.attach(countStatements(audit, deps), checkReading)
  deps.releasers.push(() => audit.flush())
}
