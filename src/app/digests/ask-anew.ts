import type { AnswerReport } from '../../core/answer.ts'
import type { Database } from '../../core/database.ts'
import type { Digest, DigestQuestion, RelativeSql } from '../../core/digest.ts'
import type { Question } from '../../core/question.ts'
import type { Understanding } from '../../core/understanding.ts'
import type { ReadRelativeSql } from './digest-deps.ts'

/**
 * Asks a question of a digest as if its owner asked it now. Null where it is not answered: refused, asked back, or broken.
 * Rejects when the signal fires, or the store is away.
 */
export type AskAgain = (
  question: DigestQuestion,
  given: {
    readonly digest: Digest
    /** Who pays; its rights are those of its owner all the same. */
    readonly paidBy: string
    readonly signal?: AbortSignal
  },
) => Promise<{ readonly statement: RelativeSql; readonly remarks: readonly string[] } | null>

/** Makes it from the ordinary way of a question, which books what it costs on who pays for the run. */
export const makeAskAgain =
  (deps: {
    readonly answer: (question: Question, options: { signal?: AbortSignal }) => Promise<AnswerReport>
    readonly keepQuestion: (
      question: Question,
      paid: { readonly digest: Digest; readonly paidBy: string },
    ) => Promise<void>
    /** Drops what was kept only to work on the question. */
    readonly forget: (questionId: string) => Promise<void>
    readonly findUnderstanding: (questionId: string) => Promise<Understanding | null>
    readonly openDatabase: (
      name: string,
      options: { signal?: AbortSignal },
    ) => Promise<Pick<Database, 'dialect'>>
    readonly readRelativeSql: ReadRelativeSql
    readonly newId: () => string
    readonly now: () => Date
  }): AskAgain =>
  async ({ text, database: name }, { digest, paidBy, signal }) => {
    const options = signal ? { signal } : {}
    const id = deps.newId()
    const question: Question = {
      ...{ id, key: `digest:${id}`, text, database: name },
      ...{ askedAt: deps.now(), timeZone: digest.schedule.timeZone, askedBy: digest.owner },
      // An answer of a while ago was read from the schema of then.
      fresh: true,
      ...(paidBy !== digest.owner && { runBy: paidBy }),
    }
    await deps.keepQuestion(question, { digest, paidBy })
    try {
      const { outcome } = await deps.answer(question, options)
      if (outcome.status !== 'answered') return null
      const { dialect } = await deps.openDatabase(name, options)
      const understanding = await deps.findUnderstanding(id)
      return deps.readRelativeSql({ sql: outcome.sql, dialect, understanding })
    } finally {
      await deps.forget(id)
    }
  }
