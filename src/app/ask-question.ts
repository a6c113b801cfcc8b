import type { AskQuestion } from '../core/heard-message.ts'
import type { InTransaction } from '../core/tx.ts'
import type { AdmitQuestion } from './admit-question.ts'
import type { StoreQuestion } from './store-question.ts'

/** Makes the use case. Only when its transaction has committed may the click or command be acknowledged. */
export const makeAskQuestion =
  (deps: {
    readonly admit: AdmitQuestion
    readonly inTransaction: InTransaction
    readonly storeQuestion: StoreQuestion
  }): AskQuestion =>
  async asked => {
    const admission = await deps.admit({ person: asked.askedBy, place: asked.place })
    if (admission.status === 'not-allowed') return admission
    const { database } = admission
    const questionId = await deps.inTransaction(tx => deps.storeQuestion({ ...asked, database }, tx))
    return questionId === null ? { status: 'known' } : { status: 'asked', questionId }
  }
