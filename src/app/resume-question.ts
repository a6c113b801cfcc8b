import type { AnswerReport } from '../core/answer.ts'
import type { AnswerRunOptions, AnswerRuns } from '../core/answer-runs.ts'
import type { ClarificationReply } from '../core/clarification.ts'
import type { Log } from '../core/log.ts'
import type { QuestionLog } from '../core/question-log.ts'
import { logFailure } from './log-failure.ts'
import { reportFailure } from './report-failure.ts'

/** Goes on with a question that was asked back. Rejects only when it was stopped. */
export type ResumeQuestion = (
  questionId: string,
  reply: ClarificationReply,
  options?: AnswerRunOptions,
) => Promise<AnswerReport>

/** Makes the use case: hand the reply to the graph and keep what came out. */
export const makeResumeQuestion =
  (deps: { readonly runs: AnswerRuns; readonly questions: QuestionLog; readonly log: Log }): ResumeQuestion =>
  async (questionId, reply, options = {}) => {
    await deps.questions.setStatus(questionId, 'working')
    const report = await deps.runs.resume(questionId, reply, options).catch(async (error: unknown) => {
      options.signal?.throwIfAborted()
      logFailure(deps.log, questionId, error)
      // How far it came tells most where it broke; but not having that is no reason to fail again.
      const trace = await deps.runs.trace(questionId).catch(() => null)
      return { ...reportFailure(questionId, error), trace }
    })
    await deps.questions.keepReport(report)
    return report
  }
