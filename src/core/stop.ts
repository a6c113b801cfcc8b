import type { Tx } from './tx.ts'

/** What came of wanting to stop a question. `over`: it had ended, or was being stopped, already. */
export type StopResult = 'stopping' | 'not-allowed' | 'over'

/** Stops a question that is worked on or waits its turn, for whoever asked it or an admin. */
export type StopQuestion = (given: {
  readonly questionId: string
  readonly person: string
}) => Promise<StopResult>

/** Whether a question was stopped while somebody works on it. */
export interface StopWatch {
  /** Aborted with a `QuerentError` of code `cancelled` as soon as the question is to be stopped. */
  readonly signal: AbortSignal
  close(): void
}

/** Begins to watch a question; the caller closes the watch when its work ends. */
export type WatchStop = (questionId: string) => StopWatch

/** Tells every process that a question is to be stopped, once the transaction commits. */
export type AnnounceStop = (questionId: string, tx: Tx) => Promise<void>

/** Where a question was left by a stop: who stopped it, null where it was asked back and nobody replied in time. */
export interface Stopped {
  readonly by: string | null
  /** False when it was at its end before. */
  readonly isFirst: boolean
}
