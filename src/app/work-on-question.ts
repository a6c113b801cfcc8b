import type { AnswerReport } from '../core/answer.ts'
import type { Delivery, PlacedQuestion } from '../core/delivery.ts'
import type { JobData } from '../core/job.ts'
import type { Log } from '../core/log.ts'
import type { QuestionLog } from '../core/question-log.ts'
import type { AnswerQuestion } from './answer-question.ts'
import { logFailure } from './log-failure.ts'
import { reportFailure } from './report-failure.ts'
import type { ResumeQuestion } from './resume-question.ts'

/** What a worker is told of a job besides its data. */
export interface JobAttempt {
  readonly signal: AbortSignal
  /** No further attempt will be made. */
  readonly lastAttempt: boolean
}

/** What a worker does with its jobs. Both may be called again for the same job, and then go on where it stood. */
export interface WorkOnQuestions {
  question(data: JobData['question'], attempt: JobAttempt): Promise<void>
  resume(data: JobData['resume'], attempt: JobAttempt): Promise<void>
}

/** Makes them: show that work began, answer, show the outcome, and let a question back expire. */
export const makeWorkOnQuestions = (deps: {
  readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
  readonly hasReply: (questionId: string) => Promise<boolean>
  readonly answer: AnswerQuestion
  readonly resume: ResumeQuestion
  readonly delivery: Delivery
  readonly keepReport: QuestionLog['keepReport']
  readonly log: Log
  /** Sends the job that takes the default when nobody replies. */
  readonly sendExpiry: (questionId: string) => Promise<void>
}): WorkOnQuestions => {
  const work = async (
    questionId: string,
    { lastAttempt }: JobAttempt,
    run: (placed: PlacedQuestion) => Promise<AnswerReport>,
  ): Promise<void> => {
    const placed = await deps.findPlaced(questionId)
    if (!placed) return
    let report: AnswerReport | null = null
    try {
      await deps.delivery.begin(placed)
      report = await run(placed)
      await deps.delivery.finish(placed, report)
      if (report.outcome.status === 'needs-clarification') await deps.sendExpiry(questionId)
    } catch (error) {
      await deps.delivery.settle(questionId)
      if (!lastAttempt) throw error
      // Nobody will try again: a question must not stay "being worked on" for ever. An outcome that was kept stands,
      // even when it could not be shown.
      logFailure(deps.log, questionId, error)
      if (report) throw error
      const failure = reportFailure(questionId, error)
      await deps.keepReport(failure)
      await deps.delivery.finish(placed, failure)
    }
  }
  return {
    question: async ({ questionId }, attempt) => {
      // A worker that died after asking back leaves its job; once there is a reply, the job of the reply goes on.
      if (await deps.hasReply(questionId)) return
      await work(questionId, attempt, placed =>
        deps.answer(placed.question, {
          signal: attempt.signal,
          onEvent: event => deps.delivery.progress(placed, event),
        }),
      )
    },
    resume: ({ questionId, reply }, attempt) =>
      work(questionId, attempt, placed =>
        deps.resume(questionId, reply, {
          signal: attempt.signal,
          onEvent: event => deps.delivery.progress(placed, event),
        }),
      ),
  }
}
