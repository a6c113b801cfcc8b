import { BudgetError, QuerentError } from '../domain/errors.ts'
import type { ModelRole } from '../domain/model.ts'
import type { Log, Metrics } from '../domain/operations/telemetry.ts'
import {
  addModelUsage,
  type BudgetLimit,
  type DaySpending,
  type ModelSpending,
  type ModelUsage,
  type ModelUsageLedger,
  noModelUsage,
} from '../domain/operations/usage.ts'
import { once } from '../lib/once.ts'
import type { Budget } from './budget.ts'
import type { CallModel, RawReply } from './call-model.ts'
import type { SendRequest } from './capabilities.ts'

/** Price of a million tokens, by the names of models. */
export type ModelPrices = Readonly<Record<string, { readonly prompt: number; readonly completion: number }>>

/** What usage is counted with. Without `prices` money is not counted; without `daily` daily usage is not. */
interface UsageMeterDeps {
  readonly role: ModelRole
  readonly budget: Budget
  readonly prices?: ModelPrices
  readonly daily?: DailyUsage
  /** Counts every request, with how long it took; nothing is counted if left out. */
  readonly modelCall?: Metrics['modelCall']
  /** A clock in milliseconds. */
  readonly now: () => number
}

/** The usage of one request to a role, with its retries and fallbacks. */
export interface UsageMeter {
  readonly usage: () => ModelUsage
  /**
   * Counts the calls. Throws `budget-spent` instead of sending one too many. A request that repeats another in a form
   * that the endpoint takes is counted as sent, but not against the calls of the question.
   */
  readonly metered: (callModel: CallModel) => SendRequest
}

/** Counts every request that is sent, including failed ones, for the question and for the day. */
export const makeUsageMeter = ({
  role,
  budget,
  prices,
  daily,
  modelCall,
  now,
}: UsageMeterDeps): UsageMeter => {
  let usage: ModelUsage = noModelUsage
  const count = async (
    model: string,
    reply: Pick<RawReply, 'promptTokens' | 'completionTokens' | 'cachedTokens'> | null,
    milliseconds: number,
  ) => {
    const { promptTokens, completionTokens } = reply ?? { promptTokens: 0, completionTokens: 0 }
    // A failed request has no tokens and so costs nothing.
    const money = reply === null ? 0 : priceOf(prices?.[model], { promptTokens, completionTokens })
    usage = addModelUsage(usage, {
      modelCalls: 0,
      promptTokens,
      completionTokens,
      ...(prices ? { money } : {}),
      ...(reply?.cachedTokens === undefined ? {} : { cachedTokens: reply.cachedTokens }),
    })
    budget.spendTokens(promptTokens + completionTokens, money ?? 0)
    const outcome = reply === null ? 'failed' : 'ok'
    modelCall?.({ role, model, outcome, promptTokens, completionTokens, money, milliseconds })
    await daily?.record({ role, model, calls: 1, promptTokens, completionTokens, money })
  }
  return {
    usage: () => usage,
    metered:
      callModel =>
      async (call, { isRepeat }) => {
        await daily?.check()
        call.signal.throwIfAborted()
        if (!isRepeat) budget.spendCall()
        usage = addModelUsage(usage, { ...noModelUsage, modelCalls: 1, ...(prices ? { money: 0 } : {}) })
        let reply: RawReply | null = null
        const started = now()
        try {
          reply = await callModel(call)
          return reply
        } finally {
          await count(call.model, reply, now() - started)
        }
      },
  }
}

const million = 1_000_000

const priceOf = (
  price: ModelPrices[string] | undefined,
  { promptTokens, completionTokens }: Pick<RawReply, 'promptTokens' | 'completionTokens'>,
): number | null =>
  price === undefined ? null : (promptTokens * price.prompt + completionTokens * price.completion) / million

/** Daily limits; null for no limit. */
interface DailyLimits {
  readonly tokensPerUserPerDay: number | null
  readonly tokensPerDay: number | null
  readonly moneyPerDay: number | null
  readonly moneyPerUserPerDay?: number | null
  readonly tokensPerChannelPerDay?: number | null
  readonly moneyPerChannelPerDay?: number | null
}

/** What daily usage needs. `today` is `YYYY-MM-DD`; `askedBy` finds who asked a question, or null. */
export interface DailyUsageDeps {
  readonly ledger: ModelUsageLedger
  readonly limits: DailyLimits
  readonly today: () => string
  readonly askedBy: (questionId: string) => Promise<string | null>
  /** Finds the channel of a question; null if it has none. */
  readonly askedIn?: (questionId: string) => Promise<string | null>
  readonly log: Log
}

/** The daily usage as one request sees it. */
interface DailyUsage {
  /**
   * Throws `budget-spent` if the daily limit, or the person's share of it, is used up, and `store-unavailable` if
   * that cannot be read.
   */
  readonly check: () => Promise<void>
  /** Stores what one request cost. Never throws: a reply is not lost because its cost cannot be stored. */
  readonly record: (spent: Omit<ModelSpending, 'day' | 'askedBy'>) => Promise<void>
}

/**
 * Opens the daily usage for one request. Limits are checked before every call; calls in progress when a limit is
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
        for (const { key, of, unit, whose, isKnown = true } of dailyLimits(spent, { who, where })) {
          const most = limits[key] ?? null
          if (isKnown && most !== null && whose >= most) throw dailyLimitReached({ of, unit, most }, key)
        }
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

/** The daily settings of a budget, which has others too. */
const dailyLimitKeys = [
  'tokensPerUserPerDay',
  'tokensPerDay',
  'moneyPerDay',
  'moneyPerUserPerDay',
  'tokensPerChannelPerDay',
  'moneyPerChannelPerDay',
] as const satisfies readonly (keyof DailyLimits)[]

/** The daily limits in the order in which they are looked at, with what has been spent of each. */
const dailyLimits = (
  spent: DaySpending,
  { who, where }: { readonly who: string | null; readonly where: string | null },
): readonly (Pick<BudgetLimit, 'of' | 'unit'> & {
  readonly key: (typeof dailyLimitKeys)[number]
  readonly whose: number
  readonly isKnown?: boolean
})[] => {
  const person = { of: 'person', isKnown: who !== null } as const
  const channel = { of: 'channel', isKnown: where !== null } as const
  return [
    { of: 'day', unit: 'tokens', key: 'tokensPerDay', whose: spent.tokens },
    { of: 'day', unit: 'money', key: 'moneyPerDay', whose: spent.money },
    { ...person, unit: 'tokens', key: 'tokensPerUserPerDay', whose: spent.tokensOfPerson },
    { ...person, unit: 'money', key: 'moneyPerUserPerDay', whose: spent.moneyOfPerson },
    { ...channel, unit: 'tokens', key: 'tokensPerChannelPerDay', whose: spent.tokensOfChannel },
    { ...channel, unit: 'money', key: 'moneyPerChannelPerDay', whose: spent.moneyOfChannel },
  ]
}

const dailyLimitReached = (limit: BudgetLimit, key: string): BudgetError => {
  const amount = limit.unit === 'money' ? `${limit.most} for models` : `${limit.most} model tokens`
  const whose = { person: ' of one person', channel: ' of this channel', day: '', question: '', role: '' }
  return new BudgetError(
    limit,
    `The ${amount}${whose[limit.of]} of today are used up. Raise budget.${key} in querent.yml, or wait until tomorrow.`,
  )
}

const unknown = (cause: unknown): never => {
  throw new QuerentError(
    'store-unavailable',
    "Today's model usage cannot be read, so no model was asked: budget in querent.yml sets a daily limit. Check DATABASE_URL and that its server is running.",
    { cause },
  )
}
