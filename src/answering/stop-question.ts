import type { LocatedQuestion } from '../domain/message.ts'
import type { InTransaction, SendJob, Tx } from '../domain/operations/jobs.ts'
import type { AnnounceStop, QuestionStatus, StopQuestion } from '../domain/question.ts'

/**
 * Marking the question, notifying its worker and queuing the job that ends it if that worker is dead happen in one
 * transaction: an acknowledged stop takes effect even after a crash.
 */
export const makeStopQuestion =
  (
    deps: {
      readonly inTransaction: InTransaction
      readonly findPlaced: (questionId: string) => Promise<LocatedQuestion | null>
      readonly isAdmin: (person: string) => boolean
    } & BeginStopDeps,
  ): StopQuestion =>
  async ({ questionId, person }) => {
    const placed = await deps.findPlaced(questionId)
    if (!placed) return 'over'
    if (placed.question.askedBy !== person && !deps.isAdmin(person)) return 'not-allowed'
    return deps.inTransaction(async tx =>
      (await beginStop(deps, { questionId, by: person, tx })) ? 'stopping' : 'over',
    )
  }

/** Withdraws a question in a transaction: it is no longer shown, and it is stopped if it has not ended. */
export type WithdrawQuestion = (questionId: string, by: string | null, tx: Tx) => Promise<void>

export const makeWithdrawQuestion =
  (
    deps: {
      readonly withdraw: (questionId: string, tx: Tx) => Promise<boolean>
    } & BeginStopDeps,
  ): WithdrawQuestion =>
  async (questionId, by, tx) => {
    await deps.withdraw(questionId, tx)
    await beginStop(deps, { questionId, by, tx })
  }

/** How long to wait before removing a message: the worker of its question may be posting it right now. */
export const REMOVE_DELAY_SECONDS = 3

/** How long a worker has to stop and say so. After that its process counts as dead and the stop job takes over. */
const STOP_GRACE_SECONDS = 15

interface BeginStopDeps {
  /** Marks it as `stopping` and returns its earlier status; null if it had already ended. */
  readonly markStopping: (questionId: string, by: string | null, tx: Tx) => Promise<QuestionStatus | null>
  readonly announce: AnnounceStop
  readonly sendJob: SendJob
}

/**
 * Marks a question, notifies its worker and queues the job that ends it if that worker is dead, in one transaction.
 * False if the question had already ended: then nothing happens.
 */
const beginStop = async (
  { markStopping, announce, sendJob }: BeginStopDeps,
  { questionId, by, tx }: { readonly questionId: string; readonly by: string | null; readonly tx: Tx },
): Promise<boolean> => {
  const status = await markStopping(questionId, by, tx)
  if (status === null) return false
  await announce(questionId, tx)
  const isWorkedOn = status === 'working'
  await sendJob(
    'stop',
    { questionId },
    { tx, ...(isWorkedOn ? { startAfterSeconds: STOP_GRACE_SECONDS } : {}) },
  )
  return true
}
