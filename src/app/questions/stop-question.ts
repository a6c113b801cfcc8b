import type { PlacedQuestion } from '../../core/delivery.ts'
import type { SendJob } from '../../core/job.ts'
import type { QuestionStatus } from '../../core/question.ts'
import type { AnnounceStop, StopQuestion } from '../../core/stop.ts'
import type { InTransaction, Tx } from '../../core/tx.ts'

/**
 * How long whoever works on the question has to let go and say so. After that its process is taken for dead, and the
 * job of the stop says so instead.
 */
const LET_GO_SECONDS = 15

/**
 * Makes the use case. Marking the question, telling the process that works on it, and the job that ends it if that
 * process is dead are one transaction: a stop that was acknowledged happens, whatever dies next.
 */
export const makeStopQuestion =
  (deps: {
    readonly inTransaction: InTransaction
    readonly findPlaced: (questionId: string) => Promise<PlacedQuestion | null>
    readonly isAdmin: (person: string) => boolean
    /** Marks it as `stopping` and returns where it stood; null when it had ended already. */
    readonly markStopping: (questionId: string, by: string, tx: Tx) => Promise<QuestionStatus | null>
    readonly announce: AnnounceStop
    readonly sendJob: SendJob
  }): StopQuestion =>
  async ({ questionId, person }) => {
    const placed = await deps.findPlaced(questionId)
    if (!placed) return 'over'
    if (placed.question.askedBy !== person && !deps.isAdmin(person)) return 'not-allowed'
    return deps.inTransaction(async tx => {
      const stood = await deps.markStopping(questionId, person, tx)
      if (stood === null) return 'over'
      await deps.announce(questionId, tx)
      const isWorkedOn = stood === 'working'
      await deps.sendJob(
        'stop',
        { questionId },
        { tx, ...(isWorkedOn ? { startAfterSeconds: LET_GO_SECONDS } : {}) },
      )
      return 'stopping'
    })
  }
