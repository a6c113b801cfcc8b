import type { FindAnsweredQuestion } from '../../core/answered-question.ts'
import type { RequestReview, ReviewRequest } from '../../core/human-request.ts'
import type { SendJob } from '../../core/job.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'

/** Makes the use case: the request and the job that posts it are written together, so neither outlives the other. */
export const makeRequestReview =
  (deps: {
    readonly findAnswered: FindAnsweredQuestion
    /** Where people look at answers; null where nobody does. */
    readonly channel: string | null
    readonly inTransaction: InTransaction
    readonly insertRequest: (request: Omit<ReviewRequest, 'decided'>, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
    readonly now: () => Date
  }): RequestReview =>
  async ({ questionId, person }) => {
    const { channel } = deps
    if (channel === null) return 'nobody'
    const answered = await deps.findAnswered(questionId)
    if (!answered) return 'gone'
    const { sql, resultId, headline } = answered
    return deps.inTransaction(async tx => {
      const request = { questionId, channel, sql, resultId, headline, askedBy: person, askedAt: deps.now() }
      if (!(await deps.insertRequest(request, tx))) return 'already'
      await deps.sendJob('human', { questionId, step: 'asked' }, { tx })
      return 'asked'
    })
  }
