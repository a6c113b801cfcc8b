/** What one question cost. Tokens as the endpoint counted them. */
export interface Usage {
  readonly modelCalls: number
  readonly promptTokens: number
  readonly completionTokens: number
}

export const noUsage: Usage = { modelCalls: 0, promptTokens: 0, completionTokens: 0 }

export const addUsage = (a: Usage, b: Usage): Usage => ({
  modelCalls: a.modelCalls + b.modelCalls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
})
