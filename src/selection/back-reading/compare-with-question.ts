import type { Catalog } from '../../core/catalog.ts'
import { backReadingMeasures } from './all-measures.ts'
import type { DescribedSql } from './described-sql.ts'
import { makeReading } from './reading.ts'

/** What a statement and a question say differently, by the names of the measures; what is not amiss is left out. */
export type BackReading = Readonly<Record<string, number>>

/**
 * Compares a question with a statement that was read back: words that no part speaks of, parts that nobody asked for,
 * numbers, names and cues on one side alone. Every measure is 0 or left out where nothing is amiss.
 */
export const compareWithQuestion = (
  question: string,
  described: DescribedSql,
  catalog: Catalog,
): BackReading => {
  const reading = makeReading(question, described, catalog)
  return Object.fromEntries(
    backReadingMeasures
      .map(({ name, measure }) => [name, measure(reading)] as const)
      .filter(([, value]) => value !== 0),
  )
}

/** What a measure above 0 says, in words for a person; null for a name that is no measure. */
export const backReadingReason = (name: string): string | null =>
  backReadingMeasures.find(measure => measure.name === name)?.reason ?? null
