import type { DraftInput } from '../../../src/core/draft.ts'
import type { ParseQuestion } from '../../../src/core/reading.ts'
import { sqlSkeleton } from '../../../src/sql/sql-skeleton.ts'

/**
 * Skeleton of the semantic parser's best reading of a question, null without one. DAIL-SQL has a model write a first
 * draft for this; ours costs nothing.
 */
export const sketchSkeleton = (
  { understanding, database }: Pick<DraftInput, 'understanding' | 'database'>,
  parse: ParseQuestion,
): string | null => {
  const { catalog, findValues, dialect } = database
  const [reading] = parse({ understanding, catalog, findValues }, { limit: 1 })
  return reading === undefined ? null : sqlSkeleton(reading.sql, dialect)
}
