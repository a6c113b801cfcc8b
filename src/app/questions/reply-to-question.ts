import type { ReplyToClarification } from '../../core/clarification.ts'
import type { InTransaction } from '../../core/tx.ts'
import type { StoreReply } from './keep-reply.ts'

/** Makes the use case: the reply and what follows from it are written together, or neither. */
export const makeReplyToClarification =
  (deps: { readonly inTransaction: InTransaction; readonly keepReply: StoreReply }): ReplyToClarification =>
  async given =>
    (await deps.inTransaction(tx => deps.keepReply(given, tx))) ? 'taken' : 'late'
