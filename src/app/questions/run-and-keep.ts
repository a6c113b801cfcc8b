import type { AnswerReport } from '../../core/answer.ts'
import type { AnswerRunOptions, AnswerRuns } from '../../core/answer-runs.ts'
import { QuerentError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import type { QuestionStatus } from '../../core/question.ts'
import type { QuestionLog } from '../../core/question-log.ts'
import { noModelUsage } from '../../core/usage.ts'
import { logFailure } from './log-failure.ts'
import { reportFailure } from './report-failure.ts'

/**
 * Runs the graph for a question and keeps what comes out, exactly one end a question: work begins only where the
 * question stands at one of `from`, and what comes out counts only if nobody stopped or ended the question meanwhile.
 * One that has come further is not worked on: what it came to is reported again, for whoever has to show it.
 */
export const runAndStore = async (
  deps: { readonly runs: Pick<AnswerRuns, 'trace'>; readonly questions: QuestionLog; readonly log: Log },
  work: {
    readonly questionId: string
    readonly from: readonly QuestionStatus[]
    /** Leaves a question to the job of its reply, if there is one. */
    readonly unlessReplied: boolean
    readonly run: () => Promise<AnswerReport>
    readonly options: AnswerRunOptions
  },
): Promise<AnswerReport> => {
  const { questionId, from, unlessReplied, run, options } = work
  const begun = await deps.questions.begin(questionId, from, { unlessReplied })
  if (!begun.begun) return reportAgain(deps.questions, questionId, begun.status)
  const report = await run().catch(async (error: unknown) => {
    options.signal?.throwIfAborted()
    logFailure(deps.log, questionId, error)
    // How far it came tells most where it broke; but not having that is no reason to fail again.
    const trace = await deps.runs.trace(questionId).catch(() => null)
    return { ...reportFailure(questionId, error), trace }
  })
  if (!(await deps.questions.storeReport(report)))
    throw supersededError('it was stopped or ended elsewhere meanwhile')
  return report
}

const reportAgain = async (
  questions: QuestionLog,
  questionId: string,
  status: QuestionStatus,
): Promise<AnswerReport> => {
  switch (status) {
    case 'stopping':
    case 'stopped':
      throw supersededError('it was stopped')
    case 'queued':
    case 'working':
      throw supersededError('somebody else works on it')
    case 'waiting':
    case 'answered':
    case 'refused':
    case 'failed': {
      const outcome = await questions.lastOutcome(questionId)
      if (!outcome)
        throw new QuerentError('internal', `question ${questionId} is ${status} without an outcome`)
      return { questionId, outcome, candidates: [], usage: noModelUsage }
    }
    default: {
      const never: never = status
      return never
    }
  }
}

const supersededError = (why: string): QuerentError =>
  new QuerentError('cancelled', `the work on the question does not count: ${why}`)
