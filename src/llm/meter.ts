import type { Metrics } from '../core/metrics.ts'
import type { ModelRole } from '../core/model.ts'
import { addModelUsage, type ModelUsage, noModelUsage } from '../core/usage.ts'
import type { Budget } from './budget.ts'
import type { CallModel, RawReply } from './call-model.ts'
import type { DailyUsage } from './day-books.ts'

/** Money for a million tokens, by the names of models. */
export type ModelPrices = Readonly<Record<string, { readonly prompt: number; readonly completion: number }>>

/** What one ask is counted against. Without `prices` nobody counts money; without `books` no day is kept. */
export interface UsageMeterDeps {
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
