import { SqlError } from '../domain/errors.ts'
import type { RunContext } from '../domain/operations/audit.ts'
import type {
  AccountUsage,
  FindQuotaRefusal,
  QueryQuotas,
  QueryUsage,
  QueryUsageLedger,
  UsageAccount,
} from '../domain/operations/usage.ts'
import { dayOf, nextAtHour } from '../lib/time-zone.ts'

/** One quota: a number of `rows` or milliseconds for one part of an account. */
export interface QueryQuota {
  readonly key: keyof QueryQuotas
  readonly unit: keyof QueryUsage
  readonly most: number
  readonly of: keyof AccountUsage
  readonly whose: string
}

/** The configured quotas. Without any, nothing has to be looked up. */
export const activeQuotas = (limits: QueryQuotas): readonly QueryQuota[] =>
  quotaScopes.flatMap(({ key, of, whose }) => {
    const [rows, seconds] = [limits[`rows${key}`], limits[`seconds${key}`]]
    return [
      ...(rows === null ? [] : [{ key: `rows${key}`, unit: 'rows', most: rows, of, whose } as const]),
      ...(seconds === null
        ? []
        : [{ key: `seconds${key}`, unit: 'milliseconds', most: seconds * 1000, of, whose } as const]),
    ]
  })

const quotaScopes = [
  { key: 'PerQuestion', of: 'ofQuestion', whose: 'for this question' },
  { key: 'PerUserPerDay', of: 'ofPerson', whose: 'for you today' },
  { key: 'PerChannelPerDay', of: 'ofChannel', whose: 'for this channel today' },
  { key: 'PerDay', of: 'ofAll', whose: 'for everyone today' },
] as const

/** The clock, and the IANA time zone whose midnight ends a day. */
export interface QuotaClock {
  readonly now: () => Date
  readonly timeZone: string
}

/** Throws an `SqlError` of class `over-budget` for the first quota that is used up. */
const requireQuota = (usage: AccountUsage, limits: readonly QueryQuota[], days: QuotaClock): void => {
  for (const limit of limits) {
    const { unit, most, of, whose } = limit
    const read = usage[of].used[unit]
    // Statements get whole milliseconds.
    if (most - read >= 1) continue
    throw quotaError(
      unit === 'rows'
        ? `${formatCount(read)} of ${formatCount(most)} rows were read ${whose}`
        : `queries used ${formatSeconds(read)} of ${formatSeconds(most)} ${whose}`,
      limit,
      days,
    )
  }
}

/** The error of a statement that was stopped because only `left` milliseconds of a quota remained. */
const quotaTimeoutError = (left: number, limit: QueryQuota, days: QuotaClock): SqlError =>
  quotaError(
    `the query was stopped after ${formatSeconds(left)}, the last of the ${formatSeconds(limit.most)} that queries can run ${limit.whose}`,
    limit,
    days,
  )

/** The error if everything left is reserved for other statements and they do not end. */
const quotaReservedError = (limit: QueryQuota): SqlError =>
  new SqlError(
    'over-budget',
    `The limit ${limit.whose} is nearly reached, and other queries are using the rest. Try again when they have finished. (budget.${limit.key})`,
  )

const quotaError = (what: string, { key, of }: QueryQuota, { now, timeZone }: QuotaClock): SqlError => {
  // A duration is right in every time zone.
  const again =
    of === 'ofQuestion' ? '' : ` It resets in ${untilMidnight(now(), timeZone)}, at midnight (${timeZone}).`
  return new SqlError('over-budget', `The limit is reached: ${what}.${again} (budget.${key})`)
}

/** “5 h 12 min”, “40 min”; rounded up, so that trying again is never too early. */
const untilMidnight = (now: Date, timeZone: string): string => {
  const minutes = Math.ceil((nextAtHour(now, 0, timeZone).getTime() - now.getTime()) / 60_000)
  const hours = Math.floor(minutes / 60)
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`
}

const formatCount = (number: number): string => number.toLocaleString('en-US')

/** “1,800 s”, “0.35 s”. */
const formatSeconds = (milliseconds: number): string =>
  milliseconds < 1000
    ? `${Number((milliseconds / 1000).toFixed(2))} s`
    : `${formatCount(Math.round(milliseconds / 1000))} s`

/**
 * What a statement gets. `granted`: this much, and the error for when its time runs out if a quota reduced it. `waits`:
 * other statements have reserved what it needs; `error` applies if they do not release it.
 */
export type QuotaGrant =
  | {
      readonly status: 'granted'
      readonly usage: QueryUsage
      readonly timeoutError: SqlError | null
    }
  | { readonly status: 'waits'; readonly error: SqlError }

/**
 * Decides how much a statement that would read at most `most` can read. It gets everything that fits. Otherwise it
 * waits for what other statements have reserved, most of which they usually give back; with `isPatient`, even if a part
 * is free. Otherwise it gets what is left. Throws an `SqlError` of class `over-budget` if a quota is used up.
 */
export const grantQuota = (
  most: QueryUsage,
  usage: AccountUsage,
  {
    limits,
    isPatient,
    ...days
  }: QuotaClock & { readonly limits: readonly QueryQuota[]; readonly isPatient: boolean },
): QuotaGrant => {
  requireQuota(usage, limits, days)
  const [rows, milliseconds] = [
    leastRemaining('rows', most, usage, limits),
    leastRemaining('milliseconds', most, usage, limits),
  ]
  for (const { left, limit, isHeld } of [rows, milliseconds])
    if (limit !== null && isHeld && (isPatient || left <= 0))
      return { status: 'waits', error: quotaReservedError(limit) }
  return {
    status: 'granted',
    usage: { rows: rows.left, milliseconds: milliseconds.left },
    timeoutError:
      milliseconds.limit === null ? null : quotaTimeoutError(milliseconds.left, milliseconds.limit, days),
  }
}

/** What can be read in one unit, and the quota that reduced it; null if none did. */
interface Remaining {
  readonly left: number
  readonly limit: QueryQuota | null
  /** Whether it would be more without other reservations. */
  readonly isHeld: boolean
}

const leastRemaining = (
  unit: keyof QueryUsage,
  most: QueryUsage,
  usage: AccountUsage,
  limits: readonly QueryQuota[],
): Remaining => {
  let least: Remaining = { left: most[unit], limit: null, isHeld: false }
  for (const limit of limits) {
    if (limit.unit !== unit) continue
    const { used, reserved } = usage[limit.of]
    const left = Math.floor(limit.most - used[unit] - reserved[unit])
    if (left < least.left) least = { left, limit, isHeld: reserved[unit] > 0 }
  }
  return least
}

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
