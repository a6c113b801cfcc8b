import type { AnswerReport } from '../core/answer.ts'
import type { AnswerRunOptions, AnswerRuns } from '../core/answer-runs.ts'
import type { Log } from '../core/log.ts'
import type { Question } from '../core/question.ts'
import type { QuestionLog } from '../core/question-log.ts'
import { logFailure } from './log-failure.ts'
import { reportFailure } from './report-failure.ts'

/** Works on a question until it is answered, asked back, refused or failed. Rejects only when it was stopped. */
export type AnswerQuestion = (question: Question, options?: AnswerRunOptions) => Promise<AnswerReport>

/** Makes the use case: run the graph, keep what came out, and turn what broke into an outcome. */
export const makeAnswerQuestion =
  (deps: { readonly runs: AnswerRuns; readonly questions: QuestionLog; readonly log: Log }): AnswerQuestion =>
  async (question, options = {}) => {
    await deps.questions.setStatus(question.id, 'working')
    const report = await deps.runs.start(question, options).catch(async (error: unknown) => {
      options.signal?.throwIfAborted()
      logFailure(deps.log, question.id, error)
      // How far it came tells most where it broke; but not having that is no reason to fail again.
      const trace = await deps.runs.trace(question.id).catch(() => null)
      return { ...reportFailure(question.id, error), trace }
    })
    await deps.questions.keepReport(report)
    return report
  }
