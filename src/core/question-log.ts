import type { AnswerReport, Outcome } from './answer.ts'
import type { Question, QuestionStatus } from './question.ts'
import type { Stopped } from './stop.ts'

/** Whether work was begun; where not, the question stands as it did. */
export type BeginResult =
  | { readonly begun: true }
  | { readonly begun: false; readonly status: QuestionStatus }

/** What the use cases keep of a question besides its run. */
export interface QuestionLog {
  /**
   * Begins work on a question that stands at one of `from`: it is `working` then. With `unlessReplied`, one whose
   * question back has its reply is left to whoever goes on with that.
   */
  begin(
    questionId: string,
    from: readonly QuestionStatus[],
    options?: { readonly unlessReplied: boolean },
  ): Promise<BeginResult>
  /**
   * Keeps the outcome, the candidates and what they cost, and marks the question accordingly. False, with nothing kept,
   * when the question is being stopped, or asks back though it has ended: then somebody else was faster.
   */
  storeReport(report: AnswerReport): Promise<boolean>
  /** Ends a question that is being stopped; null when it is not. The same answer again once it is stopped. */
  endStop(questionId: string): Promise<Stopped | null>
  /** What the last finished run of a question came to; null when none has finished. */
  lastOutcome(questionId: string): Promise<Outcome | null>
  /** The question as asked; null when there is none of this id. */
  load(questionId: string): Promise<Question | null>
}
