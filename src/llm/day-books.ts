import { QuerentError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { ModelSpending, ModelUsageLedger } from '../core/model-ledger.ts'

/** What a day may cost at most; null for no limit. */
export interface DailyLimits {
  readonly tokensPerUserPerDay: number | null
  readonly tokensPerDay: number | null
  readonly moneyPerDay: number | null
  readonly moneyPerUserPerDay?: number | null
  readonly tokensPerChannelPerDay?: number | null
  readonly moneyPerChannelPerDay?: number | null
}

/** What the books of the day rest on. `today` is `YYYY-MM-DD`; `aggregateWords` finds who asked a question, null for nobody. */
export interface DailyUsageDeps {
  readonly ledger: ModelUsageLedger
  readonly limits: DailyLimits
  readonly today: () => string
  readonly askedBy: (questionId: string) => Promise<string | null>
  /** Finds where; null for no channel, and so without it. */
  readonly askedIn?: (questionId: string) => Promise<string | null>
  readonly log: Log
}

/** The books as one ask sees them. */
export interface DailyUsage {
  /** Throws `budget-spent` when the day, or the person's share of it, is used up, `store-unavailable` when nobody knows. */
  readonly check: () => Promise<void>
  /** Books what one request cost. Never throws: what a model said is not lost because it cannot be booked. */
  readonly record: (spent: Omit<ModelSpending, 'day' | 'askedBy'>) => Promise<void>
}

/**
 * Opens the books for one ask. Limits are looked at before every request; requests that are under way when a limit is
 * reached are finished and paid for.
 */
export const makeDailyUsage =
  ({ ledger, limits, today, askedBy, askedIn, log }: DailyUsageDeps): ((questionId?: string) => DailyUsage) =>
  questionId => {
    const person = once(async () => (questionId === undefined ? null : askedBy(questionId)))
    const channel = once(async () =>
      questionId === undefined || askedIn === undefined ? null : askedIn(questionId),
    )
    const isLimited = dailyLimitKeys.some(key => (limits[key] ?? null) !== null)
    return {
      check: async () => {
        if (!isLimited) return
        const who = await person().catch(unknown)
        const where = await channel().catch(unknown)
        const spent = await ledger.spentOn(today(), who, where).catch(unknown)
        const { tokensPerDay, moneyPerDay, tokensPerUserPerDay } = limits
        if (isReached(spent.tokens, tokensPerDay))
          throw dailyLimitReached(`${tokensPerDay} model tokens`, 'tokensPerDay')
        if (isReached(spent.money, moneyPerDay))
          throw dailyLimitReached(`${moneyPerDay} for models`, 'moneyPerDay')
        if (who !== null && isReached(spent.tokensOfPerson, tokensPerUserPerDay))
          throw dailyLimitReached(`${tokensPerUserPerDay} model tokens of one person`, 'tokensPerUserPerDay')
        const {
          moneyPerUserPerDay = null,
          tokensPerChannelPerDay = null,
          moneyPerChannelPerDay = null,
        } = limits
        if (who !== null && isReached(spent.moneyOfPerson, moneyPerUserPerDay))
          throw dailyLimitReached(`${moneyPerUserPerDay} for models of one person`, 'moneyPerUserPerDay')
        if (where !== null && isReached(spent.tokensOfChannel, tokensPerChannelPerDay))
          throw dailyLimitReached(
            `${tokensPerChannelPerDay} model tokens of this channel`,
            'tokensPerChannelPerDay',
          )
        if (where !== null && isReached(spent.moneyOfChannel, moneyPerChannelPerDay))
          throw dailyLimitReached(
            `${moneyPerChannelPerDay} for models of this channel`,
            'moneyPerChannelPerDay',
          )
      },
      record: async spent => {
        try {
          await ledger.record(
            { ...spent, day: today(), askedBy: await person() },
            { questionId: questionId ?? null, channel: await channel() },
          )
        } catch (error) {
          log.error({ error, ...spent }, 'what a model cost could not be booked')
        }
      },
    }
  }

/** Settings of the day among those of a budget, which has more. */
const dailyLimitKeys = [
  'tokensPerUserPerDay',
  'tokensPerDay',
  'moneyPerDay',
  'moneyPerUserPerDay',
  'tokensPerChannelPerDay',
  'moneyPerChannelPerDay',
] as const satisfies readonly (keyof DailyLimits)[]

const isReached = (spent: number, limit: number | null): boolean => limit !== null && spent >= limit

const dailyLimitReached = (what: string, key: string): QuerentError =>
  new QuerentError(
    'budget-spent',
    `The ${what} of today are used up. Raise budget.${key} in querent.yml, or wait until tomorrow.`,
  )

const unknown = (cause: unknown): never => {
  throw new QuerentError(
    'store-unavailable',
    'The books on what models cost cannot be read, and budget sets a limit for the day: no model is asked. Check DATABASE_URL and that its server runs.',
    { cause },
  )
}

/** Asked once, and again only after a failure. */
const once = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let asked: Promise<T> | null = null
  return () => {
    asked ??= work().catch((error: unknown) => {
      asked = null
      throw error
    })
    return asked
  }
}
