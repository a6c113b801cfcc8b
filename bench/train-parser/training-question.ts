import type { Origin } from './reading-list.ts'

/** A question to learn from. `golds`: statements whose rows are right answers, none where nothing is right. */
export interface TrainingQuestion {
  readonly database: string
  readonly origin: Origin
  readonly question: string
  readonly golds: readonly string[]
}

/** At most `limit` questions, taken evenly from the whole list, so that many databases stay among them. */
export const takeEvenly = <Item>(items: readonly Item[], limit: number): Item[] =>
  limit >= items.length
    ? [...items]
    : Array.from({ length: limit }, (_, i) => items[Math.floor((i * items.length) / limit)]!)
