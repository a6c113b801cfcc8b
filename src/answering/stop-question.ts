import type { LocatedQuestion } from '../domain/message.ts'
import type { SendJob } from '../domain/operations/jobs.ts'
import type { InTransaction, Tx } from '../domain/operations/transaction.ts'
import type { AnnounceStop, QuestionStatus, StopQuestion } from '../domain/question.ts'

/**
 * Makes the use case. Marking the question, telling the process that works on it, and the job that ends it if that
 * process is dead are one transaction: a stop that was acknowledged happens, whatever dies next.
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

/** Takes a question back within a transaction: it is shown no more, and stopped where it is not at its end. */
export type WithdrawQuestion = (questionId: string, by: string | null, tx: Tx) => Promise<void>

/** Makes it. */
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

/**
 * How long whoever works on a question has to let go and say so. After that its process is taken for dead, and the job
 * of the stop says so instead.
 */
const STOP_GRACE_SECONDS = 15

/** What beginning a stop takes. */
interface BeginStopDeps {
  /** Marks it as `stopping` and returns where it stood; null when it had ended already. */
  readonly markStopping: (questionId: string, by: string | null, tx: Tx) => Promise<QuestionStatus | null>
  readonly announce: AnnounceStop
  readonly sendJob: SendJob
}

/**
 * Marks a question, tells the process that works on it, and sends the job that ends it if that process is dead, within
 * one transaction. False when the question had ended already: then nothing happens.
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
