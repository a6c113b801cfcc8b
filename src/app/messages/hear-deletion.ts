import type { ReceiveDeletion } from '../../core/heard-message.ts'
import type { SendJob } from '../../core/job.ts'
import { type SlackLocation, slackLocationKey } from '../../core/place.ts'
import type { Question } from '../../core/question.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'
import type { WithdrawQuestion } from '../questions/take-back-question.ts'

/** Whoever works on the question may be posting its first message this moment. */
const REMOVE_DELAY_SECONDS = 3

/**
 * Makes the use case. The key of the message is claimed, so that a message that is delivered after its own deletion
 * becomes nothing.
 */
export const makeReceiveDeletion =
  (deps: {
    readonly inTransaction: InTransaction
    readonly claimMessage: (key: string, tx: Tx) => Promise<boolean>
    readonly findByMessage: (place: SlackLocation, tx: Tx) => Promise<Question | null>
    readonly takeBack: WithdrawQuestion
    readonly removeRemark: (place: SlackLocation, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
  }): ReceiveDeletion =>
  ({ place, deletedBy }) =>
    deps.inTransaction(async tx => {
      await deps.claimMessage(slackLocationKey(place), tx)
      await deps.removeRemark(place, tx)
      const question = await deps.findByMessage(place, tx)
      if (!question) return 'not-ours'
      await deps.takeBack(question.id, deletedBy, tx)
      const { id: questionId } = question
      await deps.sendJob('remove-answer', { questionId }, { tx, startAfterSeconds: REMOVE_DELAY_SECONDS })
      return 'taken-back'
    })
