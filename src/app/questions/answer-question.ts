import type { AnswerReport } from '../../core/answer.ts'
import type { AnswerRunOptions, AnswerRuns } from '../../core/answer-runs.ts'
import type { Log } from '../../core/log.ts'
import type { Question } from '../../core/question.ts'
import type { QuestionLog } from '../../core/question-log.ts'
import { runAndStore } from './run-and-keep.ts'

/**
 * Works on a question until it is answered, asked back, refused or failed. One that has come that far is reported
 * again. Rejects only when it was stopped, or brought to its end by somebody else in the meantime.
 */
export type AnswerQuestion = (question: Question, options?: AnswerRunOptions) => Promise<AnswerReport>

/** Makes the use case: run the graph, keep what came out, and turn what broke into an outcome. */
export const makeAnswerQuestion =
  (deps: { readonly runs: AnswerRuns; readonly questions: QuestionLog; readonly log: Log }): AnswerQuestion =>
  (question, options = {}) =>
    runAndStore(deps, {
      questionId: question.id,
      // A question that waits for its reply is for the job of the reply to go on with.
      from: ['queued', 'working', 'failed'],
      unlessReplied: true,
      run: () => deps.runs.start(question, options),
      options,
    })
