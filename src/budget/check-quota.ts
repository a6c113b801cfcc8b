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

/** Rejects with an `SqlError` of class `over-budget` if nothing more can be read in a context. */
export type CheckQuota = (context: RunContext) => Promise<void>

/**
 * Whether a context belongs to no person's account because no person asked for it: profiling a database, and rechecking
 * verified queries. Saving a verified query belongs to its question.
 */
export const isMaintenance = ({ origin, questionId }: RunContext): boolean =>
  origin === 'index' || (origin === 'verified' && questionId === null)

/** The account of a context at a moment. */
export const usageAccountOf = (
  { person, channel, questionId }: RunContext,
  at: Date,
  timeZone: string,
): UsageAccount => ({ day: dayOf(at, timeZone), person, channel, questionId })

/**
 * Checks before work starts, and only what was used, since reservations may end lower. Without limits nothing is looked
 * up.
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

/** For actions on existing things: the person is refused before anything is changed. */
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
