import type { ResultTable } from '../../core/result.ts'
import { readQuestionWords } from '../back-reading/question-words.ts'
import { compareResults } from './compare-results.ts'

/** One execution group by the result that stands for it. `share` is its share of the votes, 0 to 1. */
export interface GroupResult {
  readonly key: string
  readonly result: ResultTable
  readonly share: number
}

/**
 * How each result stands against the others of its question by what the two results say without a query: for every
 * kind of finding the preferences for it, weighted by the others' votes, so that a model that weighs groups one by one
 * can read what is known of pairs. By the keys of the groups; kinds that found nothing are left out.
 */
export const compareWithOthers = (
  results: readonly GroupResult[],
  question: string,
): ReadonlyMap<string, Readonly<Record<string, number>>> => {
  const words = readQuestionWords(question)
  const sums = new Map(results.map(({ key }) => [key, {} as Record<string, number>]))
  const add = (key: string, kind: string, value: number): void => {
    const own = sums.get(key)
    if (own !== undefined) own[kind] = (own[kind] ?? 0) + value
  }
  for (const [at, one] of results.entries())
    for (const other of results.slice(at + 1))
      for (const { kind, preference } of compareResults(one.result, other.result, words)) {
        add(one.key, kind, preference * other.share)
        add(other.key, kind, -preference * one.share)
      }
  return sums
}
