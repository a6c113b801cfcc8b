import type { FindAnsweredQuestion } from '../domain/answer.ts'
import type { Database } from '../domain/database.ts'
import { SqlError } from '../domain/errors.ts'
import type { Understanding } from '../domain/question-context.ts'
import type {
  BuildVerifiedTemplate,
  ProposeVerified,
  SaveVerified,
  VerifiedQuery,
} from '../domain/verified-query.ts'

/**
 * The SQL is guarded and run before it is saved: others must not be answered from a query that does not work. An empty
 * result is fine; there may be no such rows yet.
 */
export const makeSaveVerified =
  (deps: {
    readonly readVerified: BuildVerifiedTemplate
    /** Saves it; false if its question already has an accepted query. */
    readonly insert: (query: VerifiedQuery) => Promise<boolean>
    readonly newId: () => string
    readonly now: () => Date
  }): SaveVerified =>
  async ({ database, status, savedBy, signal, ...given }) => {
    const question = given.question.replace(/\s+/g, ' ').trim()
    const sql = given.sql.trim().replace(/\s*;$/, '')
    if (question === '') return { status: 'unfit', reason: 'the question is empty' }
    const verdict = database.guard(sql)
    if (verdict.verdict === 'refuse') return { status: 'unfit', reason: verdict.reason }
    const options = signal ? { signal } : {}
    let rowCount: number
    try {
      rowCount = (await database.run(verdict.guarded, options)).rows.length
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof SqlError) || error.errorClass === 'connection') throw error
      return { status: 'unfit', reason: error.message }
    }
    const reading = await deps.readVerified({ question, sql }, database, options)
    const at = deps.now()
    const isAccepted = status === 'accepted'
    const query: VerifiedQuery = {
      ...reading,
      id: deps.newId(),
      database: database.name,
      question,
      sql,
      fingerprint: database.catalog.fingerprint,
      status,
      savedBy,
      savedAt: at,
      decidedBy: isAccepted ? savedBy : null,
      decidedAt: isAccepted ? at : null,
    }
    return (await deps.insert(query)) ? { status: 'saved', query, rowCount } : { status: 'taken' }
  }

/** A follow-up is saved as the self-contained question it was understood as. */
export const makeProposeVerified =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    /** How the question was understood; null if unknown. */
    readonly findUnderstanding: (questionId: string) => Promise<Understanding | null>
    readonly openDatabase: (name: string) => Promise<Database>
    readonly saveVerified: SaveVerified
  }): ProposeVerified =>
  async ({ questionId, person, status, sql, signal }) => {
    const answered = await deps.findAnswered(questionId)
    if (!answered) return { status: 'gone' }
    const read = await deps.findUnderstanding(questionId)
    return deps.saveVerified({
      // Saved on its own, “And by month?” would answer everyone's “And by month?”.
      question: read && (read.followUp || read.rewritten) ? read.text : answered.question.text,
      sql: sql ?? answered.sql,
      database: await deps.openDatabase(answered.question.database),
      status,
      savedBy: person,
      ...(signal ? { signal } : {}),
    })
  }
