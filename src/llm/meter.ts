import { addUsage, noUsage, type Usage } from '../core/usage.ts'
import type { Budget } from './budget.ts'
import type { CallModel } from './call-model.ts'

/** What one ask has cost so far. */
export interface Meter {
  readonly usage: () => Usage
  /** The same calls, counted. Throws `budget-spent` instead of sending one too many. */
  readonly metered: (callModel: CallModel) => CallModel
}

/** Counts every request that leaves, failed ones included, and books it on the question's account. */
export const makeMeter = (budget: Budget): Meter => {
  let usage: Usage = noUsage
  return {
    usage: () => usage,
    metered: callModel => async call => {
      call.signal.throwIfAborted()
      budget.spendCall()
      usage = addUsage(usage, { ...noUsage, modelCalls: 1 })
      const reply = await callModel(call)
      const { promptTokens, completionTokens } = reply
      usage = addUsage(usage, { modelCalls: 0, promptTokens, completionTokens })
      budget.spendTokens(promptTokens + completionTokens)
      return reply
    },
  }
}
