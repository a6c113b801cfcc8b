import type { AnswerReport } from '../../core/answer.ts'
import type { AnswerRunOptions, AnswerRuns } from '../../core/answer-runs.ts'
import type { ClarificationReply } from '../../core/clarification.ts'
import type { Log } from '../../core/log.ts'
import type { QuestionLog } from '../../core/question-log.ts'
import { runAndStore } from './run-and-keep.ts'

/** Goes on with a question that was asked back. Rejects as answering one does. */
export type ResumeQuestion = (
  questionId: string,
  reply: ClarificationReply,
  options?: AnswerRunOptions,
) => Promise<AnswerReport>

/** Makes the use case: hand the reply to the graph and keep what came out. */
export const makeResumeQuestion =
  (deps: { readonly runs: AnswerRuns; readonly questions: QuestionLog; readonly log: Log }): ResumeQuestion =>
  (questionId, reply, options = {}) =>
    runAndStore(deps, {
      questionId,
      from: ['queued', 'working', 'waiting', 'failed'],
      unlessReplied: false,
      run: () => deps.runs.resume(questionId, reply, options),
      options,
    })
