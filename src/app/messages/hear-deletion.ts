import type { HearDeletion } from '../../core/heard-message.ts'
import type { SendJob } from '../../core/job.ts'
import { type Place, placeKey } from '../../core/place.ts'
import type { Question } from '../../core/question.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'
import type { TakeBackQuestion } from '../questions/take-back-question.ts'

/** Whoever works on the question may be posting its first message this moment. */
const AFTER_LETTING_GO_SECONDS = 3

/**
 * Makes the use case. The key of the message is claimed, so that a message that is delivered after its own deletion
 * becomes nothing.
 */
export const makeHearDeletion =
  (deps: {
    readonly inTransaction: InTransaction
    readonly claimMessage: (key: string, tx: Tx) => Promise<boolean>
    readonly findByMessage: (place: Place, tx: Tx) => Promise<Question | null>
    readonly takeBack: TakeBackQuestion
    readonly removeRemark: (place: Place, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
  }): HearDeletion =>
  ({ place, deletedBy }) =>
    deps.inTransaction(async tx => {
      await deps.claimMessage(placeKey(place), tx)
      await deps.removeRemark(place, tx)
      const question = await deps.findByMessage(place, tx)
      if (!question) return 'not-ours'
      await deps.takeBack(question.id, deletedBy, tx)
      const { id: questionId } = question
      await deps.sendJob('remove-answer', { questionId }, { tx, startAfterSeconds: AFTER_LETTING_GO_SECONDS })
      return 'taken-back'
    })
