import { SqlError } from '../../core/sql-error.ts'
import { afterMilliseconds, type Interruption } from './interruptible.ts'

/** What a read-only transaction on a server is given; the same for every kind of server. */
export interface TransactionOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** At this many bytes received the connection is cut and `WireOverflow` thrown. */
  readonly maxWireBytes?: number
}

/** The server's own timeout comes first; this much later it is taken to have been lost on the way. */
const serverGraceMs = 1000
/** How long a cancelled statement may take to end before the connection is cut. */
export const cancelGraceMs = 2000
/** How long a rollback may take before the connection is thrown away. */
export const rollbackMs = 5000

export const cancelledError = (): SqlError => new SqlError('cancelled', 'The statement was cancelled.')
export const closedError = (): SqlError => new SqlError('connection', 'The database has been closed.')

/** Where the server did not stop a statement itself in time. */
export const serverTimeout = (timeoutMs: number): Interruption =>
  afterMilliseconds(
    timeoutMs + serverGraceMs,
    () => new SqlError('timeout', `The statement was stopped after ${timeoutMs} ms.`),
  )
