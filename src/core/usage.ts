/** What one question cost. Tokens as the endpoint counted them. */
export interface ModelUsage {
  readonly modelCalls: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** In the currency of the prices in querent.yml; null where a model without a price replied, left out where nobody counted. */
  readonly money?: number | null
}

export const noModelUsage: ModelUsage = { modelCalls: 0, promptTokens: 0, completionTokens: 0 }

export const addModelUsage = (a: ModelUsage, b: ModelUsage): ModelUsage => ({
  modelCalls: a.modelCalls + b.modelCalls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  ...(a.money === undefined && b.money === undefined ? {} : { money: addCosts(usageCost(a), usageCost(b)) }),
})

/** What a usage cost in money: nothing where no model was asked, null where that is not known. */
export const usageCost = ({ money, modelCalls }: ModelUsage): number | null =>
  money === undefined ? (modelCalls === 0 ? 0 : null) : money

const addCosts = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : a + b
