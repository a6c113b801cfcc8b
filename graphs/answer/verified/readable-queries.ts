import { seesEveryValue, seesValuesOf } from '../../../src/domain/access/sees-value.ts'
import type { Database } from '../../../src/domain/database.ts'
import type { ListVerified, VerifiedQuery } from '../../../src/domain/verified-query.ts'
import { hideValues } from '../../../src/sql/rewrite/hide-values.ts'

/**
 * The verified queries that a question can be answered from: for a person who does not see all rows, those that name no
 * value but of rows they see. What others were answered with is shown with the answer, as SQL and in its assumptions.
 */
export const listReadableVerified = async (
  database: Pick<Database, 'name' | 'dialect' | 'rights' | 'findValues'>,
  listVerified: ListVerified,
  options: Parameters<ListVerified>[1] = {},
): Promise<readonly VerifiedQuery[]> => {
  const queries = await listVerified(database.name, options)
  const sees = seesValuesOf(database)
  if (sees === seesEveryValue) return queries
  const { dialect } = database
  return queries.filter(
    ({ sql, question, slots }) => hideValues({ sql, dialect, words: question, slots }, sees).isOpen,
  )
}
