import { SqlError } from '../domain/errors.ts'
import type { RunContext } from '../domain/operations/audit.ts'
import type {
  FindQuotaRefusal,
  QueryQuotas,
  QueryUsageLedger,
  UsageAccount,
} from '../domain/operations/usage.ts'
import { dayOf } from '../lib/time-zone.ts'
import { activeQuotas, type QuotaClock, requireQuota } from './quota.ts'

/** Rejects with an `SqlError` of the class `over-budget` where nothing more may be read on a context. */
export type CheckQuota = (context: RunContext) => Promise<void>

/**
 * Whether what is run is on nobody's account, because nobody asked for it: measuring a database, and looking whether
 * verified queries still run. What somebody saves as verified is about a question, and is theirs.
 */
export const isMaintenance = ({ origin, questionId }: RunContext): boolean =>
  origin === 'index' || (origin === 'verified' && questionId === null)

/** On whose account a context is, at a moment. */
export const usageAccountOf = (
  { person, channel, questionId }: RunContext,
  at: Date,
  timeZone: string,
): UsageAccount => ({ day: dayOf(at, timeZone), person, channel, questionId })

/**
 * Makes the check before work is begun: of what is booked alone, since what is reserved may still come to less. Without
 * limits nothing is read.
 */
export const makeCheckQuota = (
  deps: QuotaClock & {
    readonly limits: QueryQuotas
    readonly usageOf: QueryUsageLedger['usageOf']
  },
): CheckQuota => {
  const limits = activeQuotas(deps.limits)
  return async context => {
    if (limits.length === 0 || isMaintenance(context)) return
    const account = usageAccountOf(context, deps.now(), deps.timeZone)
    requireQuota(await deps.usageOf(account), limits, deps)
  }
}

/** Makes it, for those who have something run that is there: they are told before anything of it is changed. */
export const makeFindQuotaRefusal =
  (checkQuota: CheckQuota): FindQuotaRefusal =>
  async who => {
    try {
      await checkQuota({ ...who, questionId: null, digestId: null })
      return null
    } catch (error) {
      if (!(error instanceof SqlError) || error.errorClass !== 'over-budget') throw error
      return {
        status: 'not-allowed',
        reason: error.message,
        nextStep: 'Try again after the limit resets, or ask an admin to raise it.',
      }
    }
  }
