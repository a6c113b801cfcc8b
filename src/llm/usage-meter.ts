import { QuerentError } from '../domain/errors.ts'
import type { ModelRole } from '../domain/model.ts'
import type { Log, Metrics } from '../domain/operations/telemetry.ts'
import {
  addModelUsage,
  type ModelSpending,
  type ModelUsage,
  type ModelUsageLedger,
  noModelUsage,
} from '../domain/operations/usage.ts'
import type { Budget } from './budget.ts'
import type { CallModel, RawReply } from './call-model.ts'

/** Money for a million tokens, by the names of models. */
export type ModelPrices = Readonly<Record<string, { readonly prompt: number; readonly completion: number }>>

/** What one ask is counted against. Without `prices` nobody counts money; without `books` no day is kept. */
interface UsageMeterDeps {
  readonly role: ModelRole
  readonly budget: Budget
  readonly prices?: ModelPrices
  readonly books?: DailyUsage
  /** Told of every request, with how long it took; nobody when left out. */
  readonly modelCall?: Metrics['modelCall']
  /** Milliseconds of a clock. */
  readonly now: () => number
}

/** What one ask has cost so far. */
export interface UsageMeter {
  readonly usage: () => ModelUsage
  /** The same calls, counted. Throws `budget-spent` instead of sending one too many. */
  readonly metered: (callModel: CallModel) => CallModel
}

/** Counts every request that leaves, failed ones included, and books it for the question and for the day. */
export const makeUsageMeter = ({
  role,
  budget,
  prices,
  books,
  modelCall,
  now,
}: UsageMeterDeps): UsageMeter => {
  let usage: ModelUsage = noModelUsage
  const count = async (
    model: string,
    reply: Pick<RawReply, 'promptTokens' | 'completionTokens'> | null,
    milliseconds: number,
  ) => {
    const { promptTokens, completionTokens } = reply ?? { promptTokens: 0, completionTokens: 0 }
    // A request that failed has no tokens to be paid for, whatever they would have cost.
    const money = reply === null ? 0 : priceOf(prices?.[model], { promptTokens, completionTokens })
    usage = addModelUsage(usage, {
      modelCalls: 0,
      promptTokens,
      completionTokens,
      ...(prices ? { money } : {}),
    })
    budget.spendTokens(promptTokens + completionTokens, money ?? 0)
    const outcome = reply === null ? 'failed' : 'ok'
    modelCall?.({ role, model, outcome, promptTokens, completionTokens, money, milliseconds })
    await books?.record({ role, model, calls: 1, promptTokens, completionTokens, money })
  }
  return {
    usage: () => usage,
    metered: callModel => async call => {
      await books?.check()
      call.signal.throwIfAborted()
      budget.spendCall()
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

/** What a day may cost at most; null for no limit. */
interface DailyLimits {
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
interface DailyUsage {
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
    'The books on what models cost cannot be read, and budget sets a limit for the day: no model is asked. Check DATABASE_URL and that its server is running.',
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
