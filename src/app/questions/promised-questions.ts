import type { SendJob } from '../../core/job.ts'
import type { PendingQuestions } from '../../core/promised-question.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'

/** How long whoever acknowledged has to keep the promise, before the job does. */
const GRACE_SECONDS = 15

/** Rolls a promise back. */
class AlreadyPending extends Error {}

/** Makes the promises: their job is written in the transaction that the acknowledgement waits for. */
export const makePendingQuestions = (deps: {
  readonly inTransaction: InTransaction
  readonly sendJob: SendJob
  /** False when the key is taken. */
  readonly claim: (key: string, tx?: Tx) => Promise<boolean>
  readonly isClaimed: (key: string) => Promise<boolean>
  readonly isAsked: (key: string) => Promise<boolean>
}): PendingQuestions => ({
  add: async (promised, claims = []) => {
    try {
      await deps.inTransaction(async tx => {
        for (const key of claims) if (!(await deps.claim(key, tx))) throw new AlreadyPending()
        await deps.sendJob('ask-for-person', promised, { tx, startAfterSeconds: GRACE_SECONDS })
      })
      return true
    } catch (error) {
      if (error instanceof AlreadyPending) return false
      throw error
    }
  },
  isOpen: async key => !(await deps.isAsked(key)) && !(await deps.isClaimed(closedKey(key))),
  close: async key => void (await deps.claim(closedKey(key))),
})

const closedKey = (key: string): string => `closed ${key}`
