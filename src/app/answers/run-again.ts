import { formatRerunKey } from '../../core/again-key.ts'
import type { LocatedQuestion } from '../../core/delivery.ts'
import type { SendJob } from '../../core/job.ts'
import type { RerunQuestion } from '../../core/run-again.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'
import type { CheckRateLimit } from '../questions/limit-rate.ts'
import type { StoreQuestion } from '../questions/store-question.ts'
import type { FindQuotaRefusal } from '../questions/why-not-read.ts'

/** Whoever works on the question before may be posting its first message this moment. */
const REMOVE_DELAY_SECONDS = 3

/**
 * Makes the use case. The question is stored once more, to be answered past the cache, and takes over the message of the
 * one before, which is taken back: there is one answer, and it changes in place. Should it fail, the one before is given
 * the message back (see `makeRestorePreviousAnswer`). Of two clicks the first takes it back,
 * and the second finds that done. It is asked by whoever asked it at first, with their rights, and read on the account of
 * whoever clicks: for somebody who has used up what may be read, the answer stays as it is.
 */
export const makeRerunQuestion =
  (deps: {
    readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
    readonly limit: CheckRateLimit
    readonly whyNotRead: FindQuotaRefusal
    readonly inTransaction: InTransaction
    /** False when it was taken back before. */
    readonly withdraw: (questionId: string, tx: Tx) => Promise<boolean>
    readonly storeQuestion: StoreQuestion
    /** Lets the message that shows one question show another. False when none is known to be posted. */
    readonly handOver: (from: string, to: string, tx: Tx) => Promise<boolean>
    readonly sendJob: SendJob
    readonly newId: () => string
  }): RerunQuestion =>
  async ({ questionId, person }) => {
    const placed = await deps.findPlaced(questionId)
    if (!placed?.question.askedBy) return { status: 'over' }
    const { question, place } = placed
    const { text, askedBy, askedAt, database, follows } = question
    const { team, channel } = place
    const refused =
      (await deps.whyNotRead({ origin: 'question', person, team, channel })) ??
      (await deps.limit({ person, team }))
    if (refused) return refused
    return deps.inTransaction(async tx => {
      if (askedBy === null || !(await deps.withdraw(questionId, tx))) return { status: 'over' }
      const again = await deps.storeQuestion(
        {
          ...{ text, place, askedBy, askedAt, database, fresh: true },
          key: formatRerunKey(question, deps.newId()),
          ...(follows !== undefined && { follows }),
          ...(person !== askedBy && { runBy: person }),
        },
        tx,
      )
      if (again === null) return { status: 'over' }
      if (!(await deps.handOver(questionId, again, tx)))
        await deps.sendJob('remove-answer', { questionId }, { tx, startAfterSeconds: REMOVE_DELAY_SECONDS })
      return { status: 'again' }
    })
  }
