import type { AnswerReport } from '../core/answer.ts'
import type { AnswerRunOptions, AnswerRuns } from '../core/answer-runs.ts'
import { QuerentError } from '../core/errors.ts'
import type { Log } from '../core/log.ts'
import type { QuestionStatus } from '../core/question.ts'
import type { QuestionLog } from '../core/question-log.ts'
import { logFailure } from './log-failure.ts'
import { reportFailure } from './report-failure.ts'

/**
 * Runs the graph for a question and keeps what comes out, exactly one end a question: work begins only where the
 * question stands at one of `from`, and what comes out counts only if nobody stopped or ended the question meanwhile.
 * A question beyond `from` is not worked on: its run reports again what it came to, for whoever has to show it.
 */
export const runAndKeep = async (
  deps: { readonly runs: Pick<AnswerRuns, 'trace'>; readonly questions: QuestionLog; readonly log: Log },
  work: {
    readonly questionId: string
    readonly from: readonly QuestionStatus[]
    readonly run: () => Promise<AnswerReport>
    readonly options: AnswerRunOptions
  },
): Promise<AnswerReport> => {
  const { questionId, from, run, options } = work
  const stands = await deps.questions.begin(questionId, from)
  if (stands === 'stopping' || stands === 'stopped') throw overtaken('it was stopped')
  if (stands !== 'working') return run()
  const report = await run().catch(async (error: unknown) => {
    options.signal?.throwIfAborted()
    logFailure(deps.log, questionId, error)
    // How far it came tells most where it broke; but not having that is no reason to fail again.
    const trace = await deps.runs.trace(questionId).catch(() => null)
    return { ...reportFailure(questionId, error), trace }
  })
  if (!(await deps.questions.keepReport(report)))
    throw overtaken('it was stopped or ended elsewhere meanwhile')
  return report
}

const overtaken = (why: string): QuerentError =>
  new QuerentError('cancelled', `the work on the question does not count: ${why}`)
