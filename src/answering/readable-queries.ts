import { hiddenValue, seesValuesOf } from '../domain/access/sees-value.ts'
import type { Database } from '../domain/database.ts'
import type { VerifiedQuery } from '../domain/verified-query.ts'
import { hideValues } from '../sql/rewrite/hide-values.ts'

/** A database as a reader of lists sees it. */
export type ReaderDatabase = Pick<Database, 'guard' | 'hasLists' | 'dialect' | 'rights' | 'findValues'>

/**
 * Verified queries as a person may read them in a list: without those that name tables or columns hidden from them, and
 * with `...` for values of rows that they do not see. A question in which such a value may stand anywhere is left out.
 */
export const readableQueries = (
  queries: readonly Pick<VerifiedQuery, 'question' | 'sql' | 'slots'>[],
  database: ReaderDatabase,
): readonly { readonly question: string; readonly sql: string }[] => {
  const sees = seesValuesOf(database)
  const { guard, hasLists, dialect, rights } = database
  const hasHidden = hasLists === true || rights !== undefined
  return queries.flatMap(({ question, sql, slots }) => {
    if (hasHidden && guard(sql).verdict !== 'allow') return []
    const readable = hideValues({ sql, dialect, words: question, slots }, sees)
    return readable.words === hiddenValue ? [] : [{ question: readable.words, sql: readable.sql }]
  })
}
