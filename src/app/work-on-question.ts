import type { AnswerReport } from '../core/answer.ts'
import type { Delivery, PlacedQuestion } from '../core/delivery.ts'
import type { JobData } from '../core/job.ts'
import type { AnswerQuestion } from './answer-question.ts'
import type { ResumeQuestion } from './resume-question.ts'

/** What a worker does with its jobs. Both may be called again for the same job, and then go on where it stood. */
export interface WorkOnQuestions {
  question(data: JobData['question'], run: { readonly signal: AbortSignal }): Promise<void>
  resume(data: JobData['resume'], run: { readonly signal: AbortSignal }): Promise<void>
}

/** Makes them: show that work began, answer, show the outcome, and let a question back expire. */
export const makeWorkOnQuestions = (deps: {
  readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
  readonly answer: AnswerQuestion
  readonly resume: ResumeQuestion
  readonly delivery: Delivery
  /** Sends the job that takes the default when nobody replies. */
  readonly sendExpiry: (questionId: string) => Promise<void>
}): WorkOnQuestions => {
  const work = async (
    questionId: string,
    run: (placed: PlacedQuestion) => Promise<AnswerReport>,
  ): Promise<void> => {
    const placed = await deps.findPlaced(questionId)
    if (!placed) return
    await deps.delivery.begin(placed)
    const report = await run(placed)
    await deps.delivery.finish(placed, report)
    if (report.outcome.status === 'needs-clarification') await deps.sendExpiry(questionId)
  }
  return {
    question: ({ questionId }, { signal }) =>
      work(questionId, placed =>
        deps.answer(placed.question, { signal, onEvent: event => deps.delivery.progress(placed, event) }),
      ),
    resume: ({ questionId, reply }, { signal }) =>
      work(questionId, placed =>
        deps.resume(questionId, reply, { signal, onEvent: event => deps.delivery.progress(placed, event) }),
      ),
  }
}
