import type { AnswerReport } from './answer.ts'
import type { AnswerEvent } from './answer-event.ts'
import type { SlackLocation } from './place.ts'
import type { Question } from './question.ts'

/** A question together with where it was asked. */
export interface LocatedQuestion {
  readonly question: Question
  readonly place: SlackLocation
}

/**
 * Puts what happens to a question in front of people. The first message is posted once, and everything after
 * changes it: repeating a call is harmless, so a job that is tried again may call all of them again.
 */
export interface Delivery {
  /** Shows quietly that a message was taken for a question, before anybody works on it. Never rejects and never waits. */
  acknowledge(place: SlackLocation): void
  /** Shows that the question is being worked on. */
  begin(placed: LocatedQuestion): Promise<void>
  /** Shows how far it is. Never rejects and never waits: progress is not worth a failure. */
  progress(placed: LocatedQuestion, event: AnswerEvent): void
  /** Waits for progress that is still on its way, when the work broke off: it must not come after somebody's answer. */
  settle(questionId: string): Promise<void>
  /** Shows the outcome in the place of the first message. Resolves when it is there. */
  finish(placed: LocatedQuestion, report: AnswerReport): Promise<void>
  /** Shows in the place of the first message that the question was stopped, and by whom, null where nobody replied. */
  stopped(placed: LocatedQuestion, by: string | null): Promise<void>
  /** Shows an answer again, after votes for instance. Nothing happens when it was never shown. */
  refresh(questionId: string): Promise<void>
  /** Takes the message of a question away. Nothing happens when there is none. */
  remove(questionId: string): Promise<void>
}
