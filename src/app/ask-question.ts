import type { SendJob } from '../core/job.ts'
import { type Place, placeKey } from '../core/place.ts'
import type { Question } from '../core/question.ts'
import type { InTransaction, Tx } from '../core/tx.ts'

/** A question as a surface hears it. */
export interface AskedInPlace {
  readonly text: string
  readonly place: Place
  readonly askedBy: string
  readonly askedAt: Date
}

/** Stores a question and its job, once. `known` when the same message was delivered before: then nothing happens. */
export type AskQuestion = (
  asked: AskedInPlace,
) => Promise<{ readonly status: 'stored' | 'known'; readonly questionId: string | null }>

/**
 * Makes the use case. One transaction holds both: a question without a job would never be answered, and a job
 * without a question would answer nothing. Only when it has committed may the message be acknowledged.
 */
export const makeAskQuestion =
  (deps: {
    readonly inTransaction: InTransaction
    /** False when a question of this key is there already. */
    readonly insertQuestion: (question: Question, place: Place, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
    readonly newId: () => string
    readonly database: string
    readonly timeZone: string
  }): AskQuestion =>
  async asked => {
    const question: Question = {
      id: deps.newId(),
      key: placeKey(asked.place),
      text: asked.text,
      database: deps.database,
      askedAt: asked.askedAt,
      timeZone: deps.timeZone,
      askedBy: asked.askedBy,
    }
    return deps.inTransaction(async tx => {
      const inserted = await deps.insertQuestion(question, asked.place, tx)
      if (!inserted) return { status: 'known', questionId: null }
      await deps.sendJob('question', { questionId: question.id }, { tx })
      return { status: 'stored', questionId: question.id }
    })
  }
