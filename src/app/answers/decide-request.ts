import type { DecideReview, ReviewDecision, ReviewRequest } from '../../core/human-request.ts'
import type { SendJob } from '../../core/job.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'

/** Makes the use case: the first decision is written with the job that carries it out; a second finds it taken. */
export const makeDecideReview =
  (deps: {
    readonly inTransaction: InTransaction
    readonly findRequest: (questionId: string, tx: Tx) => Promise<ReviewRequest | null>
    readonly decide: (
      questionId: string,
      decided: {
        readonly decision: ReviewDecision
        readonly by: string
        readonly at: Date
        readonly reason: string | null
      },
      tx: Tx,
    ) => Promise<boolean>
    readonly sendJob: SendJob
    readonly now: () => Date
  }): DecideReview =>
  ({ questionId, decision, person, reason }) =>
    deps.inTransaction(async tx => {
      if (!(await deps.findRequest(questionId, tx))) return 'gone'
      const decided = { decision, by: person, at: deps.now(), reason }
      if (!(await deps.decide(questionId, decided, tx))) return 'late'
      await deps.sendJob('human', { questionId, step: 'decided' }, { tx })
      return 'taken'
    })
