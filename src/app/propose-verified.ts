import type { FindAnswered } from '../core/answered-question.ts'
import type { Database } from '../core/database.ts'
import type { SavedVerified, SaveVerified } from '../core/verified-query.ts'

/** Saves the SQL of an answer with its question, as a proposal or, by whoever was asked to look at it, as accepted. */
export type ProposeVerified = (given: {
  readonly questionId: string
  readonly person: string
  readonly status: 'proposed' | 'accepted'
  /** The SQL that was looked at, where the answer may have changed meanwhile. */
  readonly sql?: string
  readonly signal?: AbortSignal
}) => Promise<SavedVerified | { readonly status: 'gone' }>

/** Makes the use case. */
export const makeProposeVerified =
  (deps: {
    readonly findAnswered: FindAnswered
    readonly openDatabase: (name: string) => Promise<Database>
    readonly saveVerified: SaveVerified
  }): ProposeVerified =>
  async ({ questionId, person, status, sql, signal }) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return { status: 'gone' }
    return deps.saveVerified({
      question: answered.question.text,
      sql: sql ?? answered.sql,
      database: await deps.openDatabase(answered.question.database),
      status,
      savedBy: person,
      ...(signal ? { signal } : {}),
    })
  }
