import type { AnswerReport, AnswerRunOptions, AnswerRuns } from '../domain/answer.ts'
import type { ClarificationReply } from '../domain/clarification.ts'
import { QuerentError } from '../domain/errors.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { noModelUsage } from '../domain/operations/usage.ts'
import type { Question, QuestionLog, QuestionStatus } from '../domain/question.ts'

/**
 * Runs a question until it is answered, refused, failed or waiting for a clarification. One that already ended is
 * reported again. Rejects only if it was stopped or ended elsewhere in the meantime.
 */
export type AnswerQuestion = (question: Question, options?: AnswerRunOptions) => Promise<AnswerReport>

/** Runs the graph, stores the report, and turns errors into outcomes. */
export const makeAnswerQuestion =
  (deps: { readonly runs: AnswerRuns; readonly questions: QuestionLog; readonly log: Log }): AnswerQuestion =>
  (question, options = {}) =>
    runAndStore(deps, {
      questionId: question.id,
      // A question waiting for a clarification is resumed by the reply's job.
      from: ['queued', 'working', 'failed'],
      unlessReplied: true,
      run: () => deps.runs.start(question, options),
      options,
    })

/** Resumes a question after a clarification. Rejects as answering one does. */
export type ResumeQuestion = (
  questionId: string,
  reply: ClarificationReply,
  options?: AnswerRunOptions,
) => Promise<AnswerReport>

/** Passes the reply to the graph and stores the report. */
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

/**
 * Runs the graph for a question and stores the report, with exactly one end per question: work starts only if the
 * status is in `from`, and the report counts only if nothing stopped or ended the question meanwhile. A question that
 * is further along is not run; its outcome is reported again so that it can be shown.
 */
const runAndStore = async (
  deps: { readonly runs: Pick<AnswerRuns, 'trace'>; readonly questions: QuestionLog; readonly log: Log },
  work: {
    readonly questionId: string
    readonly from: readonly QuestionStatus[]
    /** Leaves the question to the job of its reply, if there is one. */
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
    // The trace says most about a failure, but a missing trace is no reason to fail again.
    const trace = await deps.runs.trace(questionId).catch(() => null)
    return { ...reportFailure(questionId, error), trace }
  })
  if (!(await deps.questions.storeReport(report)))
    throw supersededError('it was stopped or finished elsewhere')
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
      throw supersededError('another worker has it')
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
  new QuerentError('cancelled', `the result of this run was dropped: ${why}`)

/** Turns a failed run into an outcome. */
export const reportFailure = (questionId: string, error: unknown): AnswerReport => ({
  questionId,
  outcome: {
    status: 'failed',
    why:
      error instanceof QuerentError
        ? { code: 'error', error: error.code, message: error.message }
        : { code: 'unexpected' },
  },
  candidates: [],
  usage: noModelUsage,
})

/**
 * Logs a failed run. Expected errors are shown to the asker and only noted here; unexpected ones are logged in full.
 */
export const logFailure = (log: Log, questionId: string, error: unknown): void => {
  if (error instanceof QuerentError && error.code !== 'internal') {
    log.info({ questionId, code: error.code, error }, 'a question failed')
  } else {
    log.error({ questionId, error }, 'a question failed unexpectedly')
  }
}
