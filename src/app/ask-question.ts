import type { AskQuestion } from '../core/heard-message.ts'
import type { InTransaction } from '../core/tx.ts'
import type { StoreQuestion } from './store-question.ts'

/** Makes the use case. Only when its transaction has committed may the message be acknowledged. */
export const makeAskQuestion =
  (deps: { readonly inTransaction: InTransaction; readonly storeQuestion: StoreQuestion }): AskQuestion =>
  asked =>
    deps.inTransaction(tx => deps.storeQuestion(asked, tx))
