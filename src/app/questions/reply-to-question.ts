import type { ReplyToQuestion } from '../../core/clarification.ts'
import type { InTransaction } from '../../core/tx.ts'
import type { KeepReply } from './keep-reply.ts'

/** Makes the use case: the reply and what follows from it are written together, or neither. */
export const makeReplyToQuestion =
  (deps: { readonly inTransaction: InTransaction; readonly keepReply: KeepReply }): ReplyToQuestion =>
  async given =>
    (await deps.inTransaction(tx => deps.keepReply(given, tx))) ? 'taken' : 'late'
