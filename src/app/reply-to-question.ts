import type { ClarificationReply, ReplyToQuestion } from '../core/clarification.ts'
import type { SendJob } from '../core/job.ts'
import type { InTransaction, Tx } from '../core/tx.ts'

/** Makes the use case: the row of the reply and the job that goes on are written together. */
export const makeReplyToQuestion =
  (deps: {
    readonly inTransaction: InTransaction
    /** False when the question has its reply already, or was never asked back. */
    readonly insertReply: (
      questionId: string,
      reply: ClarificationReply,
      repliedBy: string | null,
      tx: Tx,
    ) => Promise<boolean>
    readonly sendJob: SendJob
  }): ReplyToQuestion =>
  ({ questionId, reply, repliedBy }) =>
    deps.inTransaction(async tx => {
      if (!(await deps.insertReply(questionId, reply, repliedBy, tx))) return 'late'
      await deps.sendJob('resume', { questionId, reply }, { tx })
      return 'taken'
    })
