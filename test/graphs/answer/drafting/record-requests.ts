import type { AskForSql, DraftedSql, ModelRequest } from '../../../../src/domain/model.ts'

/** An asker that keeps what it was asked and answers the same each time. */
export const recordRequests = (value: DraftedSql): { askForSql: AskForSql; asked: ModelRequest[] } => {
  const asked: ModelRequest[] = []
  return {
    asked,
    askForSql: async request => {
      asked.push(request)
      return { value, usage: { modelCalls: 1, promptTokens: 10, completionTokens: 5 } }
    },
  }
}
