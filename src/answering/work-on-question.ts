import type { AnswerReport, AnswerRunOptions } from '../domain/answer.ts'
import { QuerentError } from '../domain/errors.ts'
import type { Delivery, LocatedQuestion } from '../domain/message.ts'
import type { JobData } from '../domain/operations/jobs.ts'
import type { Log } from '../domain/operations/telemetry.ts'
import { noModelUsage } from '../domain/operations/usage.ts'
import type { QuestionLog, WatchStop } from '../domain/question.ts'
import { type AnswerQuestion, logFailure, type ResumeQuestion, reportFailure } from './run-question.ts'

/** What a worker knows about a job besides its data. */
interface JobAttempt {
  readonly signal: AbortSignal
  /** This is the last attempt. */
  readonly lastAttempt: boolean
}

/** The work behind the question jobs. Each call can be repeated for the same job and continues where it was. */
interface WorkOnQuestions {
  question(data: JobData['question'], attempt: JobAttempt): Promise<void>
  resume(data: JobData['resume'], attempt: JobAttempt): Promise<void>
  /** Ends a stopped question without a worker. */
  stop(data: JobData['stop']): Promise<void>
}

/** Shows that work started, answers, shows the outcome, and lets a clarification expire. */
export const makeWorkOnQuestions = (deps: {
  readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
  readonly hasReply: (questionId: string) => Promise<boolean>
  readonly answer: AnswerQuestion
  readonly resume: ResumeQuestion
  readonly delivery: Delivery
  readonly questions: Pick<QuestionLog, 'storeReport' | 'endStop' | 'lastOutcome'>
  readonly watchStop: WatchStop
  /** Whether trying again cannot help; the asker is then told at once. */
  readonly isPermanent: (error: unknown) => boolean
  readonly log: Log
  /** Queues the job that uses the default if nobody replies. */
  readonly sendExpiry: (questionId: string) => Promise<void>
}): WorkOnQuestions => {
  const { delivery, questions } = deps

  /** Ends a stopped question and shows it. False if it was not stopped. */
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
    // A reply in words may arrive before the clarification is shown, and its job may finish before this one, which has
    // then overwritten the outcome with the clarification.
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
      // Neither stopped nor aborted: another worker ended the question and shows it.
      if (isSuperseded(error) && !signal.aborted) return
      if (!attempt.lastAttempt && !deps.isPermanent(error)) throw error
      // This is the last attempt, and the question must not stay "being worked on" forever. A stored outcome stays,
      // even if it could not be shown.
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
      // A worker that died after asking for a clarification leaves its job; once there is a reply, the reply's job
      // continues.
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
 * A delivery that shows nothing for withdrawn questions: their messages belong to their replacement or are gone, and
 * their progress is not shown either. What was withdrawn while it was being shown is removed again.
 */
export const makeHideWithdrawn = (
  delivery: Delivery,
  isWithdrawn: (questionId: string) => Promise<boolean>,
): Delivery => {
  const unlessWithdrawn = async (questionId: string, deliver: () => Promise<void>): Promise<void> => {
    if (await isWithdrawn(questionId)) return delivery.settle(questionId)
    await deliver()
    if (!(await isWithdrawn(questionId))) return
    // A first message may have waited for Slack until after the job that removes it.
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
