import type { SendJob } from '../../core/job.ts'
import type { QuestionStatus } from '../../core/question.ts'
import type { AnnounceStop } from '../../core/stop.ts'
import type { Tx } from '../../core/tx.ts'

/**
 * How long whoever works on a question has to let go and say so. After that its process is taken for dead, and the job
 * of the stop says so instead.
 */
const STOP_GRACE_SECONDS = 15

/** What beginning a stop takes. */
export interface BeginStopDeps {
  /** Marks it as `stopping` and returns where it stood; null when it had ended already. */
  readonly markStopping: (questionId: string, by: string | null, tx: Tx) => Promise<QuestionStatus | null>
  readonly announce: AnnounceStop
  readonly sendJob: SendJob
}

/**
 * Marks a question, tells the process that works on it, and sends the job that ends it if that process is dead, within
 * one transaction. False when the question had ended already: then nothing happens.
 */
export const beginStop = async (
  { markStopping, announce, sendJob }: BeginStopDeps,
  { questionId, by, tx }: { readonly questionId: string; readonly by: string | null; readonly tx: Tx },
): Promise<boolean> => {
  const stood = await markStopping(questionId, by, tx)
  if (stood === null) return false
  await announce(questionId, tx)
  const isWorkedOn = stood === 'working'
  await sendJob(
    'stop',
    { questionId },
    { tx, ...(isWorkedOn ? { startAfterSeconds: STOP_GRACE_SECONDS } : {}) },
  )
  return true
}
