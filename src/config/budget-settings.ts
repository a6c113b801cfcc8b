import type { QueryQuotas } from '../core/reading-ledger.ts'

/** Hard limits; null where there is none. Days are cut in the time zone of the configuration. */
export interface BudgetSettings extends QueryQuotas {
  readonly modelCallsPerQuestion: number
  readonly tokensPerQuestion: number
  readonly modelTimePerQuestionMs: number
  readonly moneyPerQuestion: number | null
  readonly tokensPerUserPerDay: number | null
  readonly moneyPerUserPerDay: number | null
  readonly tokensPerChannelPerDay: number | null
  readonly moneyPerChannelPerDay: number | null
  readonly tokensPerDay: number | null
  readonly moneyPerDay: number | null
}

/** No limit where none has a default. */
export const noBudgetLimits = {
  moneyPerQuestion: null,
  tokensPerUserPerDay: null,
  moneyPerUserPerDay: null,
  tokensPerChannelPerDay: null,
  moneyPerChannelPerDay: null,
  tokensPerDay: null,
  moneyPerDay: null,
  rowsPerQuestion: null,
  secondsPerQuestion: null,
  rowsPerUserPerDay: null,
  secondsPerUserPerDay: null,
  rowsPerChannelPerDay: null,
  secondsPerChannelPerDay: null,
  rowsPerDay: null,
  secondsPerDay: null,
} as const satisfies Partial<BudgetSettings>
