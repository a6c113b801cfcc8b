import type { ModelRequest } from '../core/model.ts'
import { type AskedExchange, exchangeKey } from './recorded-exchange.ts'

/** Requests that are counted at a time; a question is over long before so many others have been asked. */
const maxCountedQuestions = 20_000

/**
 * Counts like requests of one question, from 0. Asked again under another id, a question begins anew: that is how a
 * second process finds what the first one recorded.
 */
export const makeCountAttempts = (): ((request: ModelRequest, asked: AskedExchange) => number) => {
  const counts = new Map<string, number>()
  return ({ questionId = '' }, asked) => {
    const key = `${questionId} ${exchangeKey(asked)}`
    const attempt = counts.get(key) ?? 0
    counts.delete(key)
    counts.set(key, attempt + 1)
    const oldest = counts.keys().next().value
    if (counts.size > maxCountedQuestions && oldest !== undefined) counts.delete(oldest)
    return attempt
  }
}
