import type { Catalog } from '../../core/catalog.ts'
import { mismatchMeasures } from './all-measures.ts'
import type { DescribedSql } from './described-sql.ts'
import { makeQuestionAndSql } from './reading.ts'

/** What a statement and a question say differently, by the names of the measures; what is not amiss is left out. */
export type QuestionMismatch = Readonly<Record<string, number>>

/**
 * Compares a question with a statement that was read back: words that no part speaks of, parts that nobody asked for,
 * numbers, names and cues on one side alone. Every measure is 0 or left out where nothing is amiss.
 */
export const compareWithQuestion = (
  question: string,
  described: DescribedSql,
  catalog: Catalog,
): QuestionMismatch => {
  const reading = makeQuestionAndSql(question, described, catalog)
  return Object.fromEntries(
    mismatchMeasures
      .map(({ name, measure }) => [name, measure(reading)] as const)
      .filter(([, value]) => value !== 0),
  )
}

/** What a measure above 0 says, in words for a person; null for a name that is no measure. */
export const mismatchReason = (name: string): string | null =>
  mismatchMeasures.find(measure => measure.name === name)?.reason ?? null
