import type { AdmittedQuestion } from '../../core/heard-message.ts'
import type { SendJob } from '../../core/job.ts'
import { type SlackLocation, slackLocationKey } from '../../core/place.ts'
import type { Question } from '../../core/question.ts'
import type { Tx } from '../../core/tx.ts'

/** Writes a question and its job within a transaction. Null when a question of this place is there already. */
export type StoreQuestion = (
  asked: AdmittedQuestion & {
    /** Another key than that of the place, for what a message was edited into. */
    readonly key?: string
    /** The question that it follows outside of threads. */
    readonly follows?: string
    readonly fresh?: true
    /** Who pressed for it to be run, where that is somebody else. */
    readonly runBy?: string
  },
  tx: Tx,
) => Promise<string | null>

/**
 * Makes it. Both are written together: a question without a job would never be answered, and a job without a
 * question would answer nothing.
 */
export const makeStoreQuestion =
  (deps: {
    /** False when a question of this key is there already. */
    readonly insertQuestion: (question: Question, place: SlackLocation, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
    readonly newId: () => string
    readonly timeZone: string
  }): StoreQuestion =>
  async (asked, tx) => {
    const question: Question = {
      id: deps.newId(),
      key: asked.key ?? slackLocationKey(asked.place),
      text: asked.text,
      database: asked.database,
      askedAt: asked.askedAt,
      timeZone: deps.timeZone,
      askedBy: asked.askedBy,
      ...(asked.follows === undefined ? {} : { follows: asked.follows }),
      ...(asked.fresh && { fresh: true }),
      ...(asked.runBy !== undefined && { runBy: asked.runBy }),
    }
    if (!(await deps.insertQuestion(question, asked.place, tx))) return null
    const group = `${asked.place.team} ${asked.runBy ?? asked.askedBy}`
    await deps.sendJob('question', { questionId: question.id }, { tx, group })
    return question.id
  }
