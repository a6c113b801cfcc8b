import type { AnswerReport, AnswerRunOptions } from '../domain/answer.ts'
import { QuerentError } from '../domain/errors.ts'
import type { Delivery, LocatedQuestion } from '../domain/message.ts'
import type { JobData } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { noModelUsage } from '../domain/operations/usage.ts'
import type { QuestionLog, WatchStop } from '../domain/question.ts'
import { type AnswerQuestion, logFailure, type ResumeQuestion, reportFailure } from './run-question.ts'

/** What a worker is told of a job besides its data. */
interface JobAttempt {
  readonly signal: AbortSignal
  /** No further attempt will be made. */
  readonly lastAttempt: boolean
}

/** What a worker does with its jobs. Each may be called again for the same job, and then goes on where it stood. */
interface WorkOnQuestions {
  question(data: JobData['question'], attempt: JobAttempt): Promise<void>
  resume(data: JobData['resume'], attempt: JobAttempt): Promise<void>
  /** Ends a stopped question that nobody works on. */
  stop(data: JobData['stop']): Promise<void>
}

/** Makes them: show that work began, answer, show the outcome, and let a question back expire. */
export const makeWorkOnQuestions = (deps: {
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly hasReply: (questionId: string) => Promise<boolean>
  readonly answer: AnswerQuestion
  readonly resume: ResumeQuestion
  readonly delivery: Delivery
  readonly questions: Pick<QuestionLog, 'storeReport' | 'endStop' | 'lastOutcome'>
  readonly watchStop: WatchStop
  /** Whether trying again cannot help; then whoever asked is told at once. */
  readonly isPermanent: (error: unknown) => boolean
  readonly log: Log
  /** Sends the job that takes the default when nobody replies. */
  readonly sendExpiry: (questionId: string) => Promise<void>
}): WorkOnQuestions => {
  const { delivery, questions } = deps

  /** Ends a stopped question and says so. False when it was not stopped. */
  const endedByStop = async (placed: LocatedQuestion): Promise<boolean> => {
    const stopped = await questions.endStop(placed.question.id)
    if (stopped) await delivery.stopped(placed, stopped.by)
    return stopped !== null
  }

  const deliver = async (placed: LocatedQuestion, report: AnswerReport): Promise<void> => {
    const { id } = placed.question
    await delivery.finish(placed, report)
    if (report.outcome.status !== 'needs-clarification') return
    await deps.sendExpiry(id)
    // A reply in words may come before the question back is shown, and its job may be done before ours: then ours has
    // put the question back over the end.
    if (!(await deps.hasReply(id)) || (await endedByStop(placed))) return
    const outcome = await questions.lastOutcome(id)
    if (!outcome || outcome.status === 'needs-clarification') return
    await delivery.finish(placed, { questionId: id, outcome, candidates: [], usage: noModelUsage })
  }

  const work = async (
    questionId: string,
    attempt: JobAttempt,
    run: (placed: LocatedQuestion, options: AnswerRunOptions) => Promise<AnswerReport>,
  ): Promise<void> => {
    const placed = await deps.findPlaced(questionId)
    if (!placed) return
    const watch = deps.watchStop(questionId)
    const signal = AbortSignal.any([attempt.signal, watch.signal])
    let report: AnswerReport | null = null
    try {
      if (await endedByStop(placed)) return
      await delivery.begin(placed)
      report = await run(placed, { signal, onEvent: event => delivery.progress(placed, event) })
      await deliver(placed, report)
    } catch (error) {
      await delivery.settle(questionId)
      if (await endedByStop(placed)) return
      // Neither stopped nor aborted: somebody else has brought the question to its end, and shows it.
      if (isSuperseded(error) && !signal.aborted) return
      if (!attempt.lastAttempt && !deps.isPermanent(error)) throw error
      // Nobody will try again: a question must not stay "being worked on" for ever. An outcome that was kept stands,
      // even when it could not be shown.
      logFailure(deps.log, questionId, error)
      if (report) throw error
      const failure = reportFailure(questionId, error)
      if (await questions.storeReport(failure)) await delivery.finish(placed, failure)
    } finally {
      watch.close()
    }
  }

  return {
    question: async ({ questionId }, attempt) => {
      // A worker that died after asking back leaves its job; once there is a reply, the job of the reply goes on.
      if (await deps.hasReply(questionId)) return
      await work(questionId, attempt, (placed, options) => deps.answer(placed.question, options))
    },
    resume: ({ questionId, reply }, attempt) =>
      work(questionId, attempt, (_placed, options) => deps.resume(questionId, reply, options)),
    stop: async ({ questionId }) => {
      const placed = await deps.findPlaced(questionId)
      if (placed) await endedByStop(placed)
    },
  }
}

const isSuperseded = (error: unknown): boolean => error instanceof QuerentError && error.code === 'cancelled'

/**
 * A delivery that shows nothing of questions that were taken back: their messages belong to the question that came in
 * their place, or are gone, and no progress of theirs is shown either. What was taken back just while it was being
 * shown is taken away again.
 */
export const makeHideWithdrawn = (
  delivery: Delivery,
  isWithdrawn: (questionId: string) => Promise<boolean>,
): Delivery => {
  const unlessWithdrawn = async (questionId: string, deliver: () => Promise<void>): Promise<void> => {
    if (await isWithdrawn(questionId)) return delivery.settle(questionId)
    await deliver()
    if (!(await isWithdrawn(questionId))) return
    // A first message may have waited for Slack past the job that removes it.
    await delivery.settle(questionId)
    await delivery.remove(questionId)
  }
  const progress =
    <Rest extends readonly unknown[]>(deliver: (placed: LocatedQuestion, ...rest: Rest) => Promise<void>) =>
    (placed: LocatedQuestion, ...rest: Rest): Promise<void> =>
      unlessWithdrawn(placed.question.id, () => deliver(placed, ...rest))
  return {
    ...delivery,
    begin: progress(delivery.begin),
    finish: progress(delivery.finish),
    stopped: progress(delivery.stopped),
    refresh: questionId => unlessWithdrawn(questionId, () => delivery.refresh(questionId)),
  }
}
