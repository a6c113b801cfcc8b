import type { SendJob } from '../../core/job.ts'
import type { QuestionStatus } from '../../core/question.ts'
import type { AnnounceStop } from '../../core/stop.ts'
import type { Tx } from '../../core/tx.ts'

/**
 * How long whoever works on a question has to let go of it. Then its process is taken for dead, and the job of the stop
 * ends the question instead.
 */
const LET_GO_SECONDS = 15

/** Takes a question back within a transaction: it is shown no more, and stopped where it is not at its end. */
export type TakeBackQuestion = (questionId: string, by: string | null, tx: Tx) => Promise<void>

/** Makes it. */
export const makeTakeBackQuestion =
  (deps: {
    readonly withdraw: (questionId: string, tx: Tx) => Promise<boolean>
    /** Marks it as `stopping` and returns where it stood; null when it had ended already. */
    readonly markStopping: (questionId: string, by: string | null, tx: Tx) => Promise<QuestionStatus | null>
    readonly announce: AnnounceStop
    readonly sendJob: SendJob
  }): TakeBackQuestion =>
  async (questionId, by, tx) => {
    await deps.withdraw(questionId, tx)
    const stood = await deps.markStopping(questionId, by, tx)
    if (stood === null) return
    await deps.announce(questionId, tx)
    const isWorkedOn = stood === 'working'
    await deps.sendJob(
      'stop',
      { questionId },
      { tx, ...(isWorkedOn ? { startAfterSeconds: LET_GO_SECONDS } : {}) },
    )
  }
