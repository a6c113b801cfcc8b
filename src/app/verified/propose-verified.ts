import type { FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { Database } from '../../core/database.ts'
import type { Understanding } from '../../core/understanding.ts'
import type { SaveVerified, SaveVerifiedResult } from '../../core/verified-query.ts'

/** Saves the SQL of an answer with its question, as a proposal or, by whoever was asked to look at it, as accepted. */
export type ProposeVerified = (given: {
  readonly questionId: string
  readonly person: string
  readonly status: 'proposed' | 'accepted'
  /** The SQL that was looked at, where the answer may have changed meanwhile. */
  readonly sql?: string
  readonly signal?: AbortSignal
}) => Promise<SaveVerifiedResult | { readonly status: 'gone' }>

/** Makes the use case. What follows an earlier question is saved as the whole question that it was read as. */
export const makeProposeVerified =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    /** What the question was read as; null where that is not known. */
    readonly findUnderstanding: (questionId: string) => Promise<Understanding | null>
    readonly openDatabase: (name: string) => Promise<Database>
    readonly saveVerified: SaveVerified
  }): ProposeVerified =>
  async ({ questionId, person, status, sql, signal }) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return { status: 'gone' }
    const read = await deps.findUnderstanding(questionId)
    return deps.saveVerified({
      // “And by month?” alone would be the answer to everybody's “and by month?”.
      question: read && (read.followUp || read.rewritten) ? read.text : answered.question.text,
      sql: sql ?? answered.sql,
      database: await deps.openDatabase(answered.question.database),
      status,
      savedBy: person,
      ...(signal ? { signal } : {}),
    })
  }
