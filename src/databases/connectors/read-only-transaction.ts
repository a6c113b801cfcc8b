import type { Socket } from 'node:net'
import type { SessionRights } from '../../domain/access/data-rights.ts'
import { SqlError } from '../../domain/errors.ts'

/** The options of a read-only transaction, the same for every kind of server. */
export interface TransactionOptions {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** The role and variables of the person that it is for. */
  readonly session?: SessionRights
  /** After this many received bytes the connection is closed and `WireOverflow` thrown. */
  readonly maxWireBytes?: number
}

/** The server's own timeout comes first. This much later we assume that its answer was lost. */
const serverGraceMs = 1000

/** How long a cancelled statement can take to end before the connection is closed. */
export const cancelGraceMs = 2000

export const cancelledError = (): SqlError => new SqlError('cancelled', 'The statement was cancelled.')

export const closedError = (): SqlError => new SqlError('connection', 'The database has been closed.')

/** Fires if the server did not stop a statement itself in time. */
export const serverTimeout = (timeoutMs: number): Interruption =>
  afterMilliseconds(
    timeoutMs + serverGraceMs,
    () => new SqlError('timeout', `The statement was stopped after ${timeoutMs} ms.`),
  )

/**
 * Something that can end work early. `watch` calls `trigger` when it happens, and returns a function that stops
 * watching.
 */
export type Interruption = (trigger: (reason: Error) => void) => () => void

/** On abort, with the reason given. */
export const onAbort =
  (signal: AbortSignal | undefined, reason: () => Error): Interruption =>
  trigger => {
    const listen = (): void => trigger(reason())
    if (signal?.aborted) listen()
    signal?.addEventListener('abort', listen, { once: true })
    return () => signal?.removeEventListener('abort', listen)
  }

/** After some time. */
const afterMilliseconds =
  (milliseconds: number, reason: () => Error): Interruption =>
  trigger => {
    const timer = setTimeout(() => trigger(reason()), milliseconds)
    return () => clearTimeout(timer)
  }

/** Fires when a condition is true. It is checked every `pollIntervalMs`. */
const pollUntil =
  (condition: () => boolean, everyMs: number, reason: () => Error): Interruption =>
  trigger => {
    const timer = setInterval(() => {
      if (condition()) trigger(reason())
    }, everyMs)
    return () => clearInterval(timer)
  }

/** What `interruptible` throws, so that a caller can tell an interruption from a failure of the work. */
export class Interrupted extends Error {
  readonly reason: Error

  constructor(reason: Error) {
    super(reason.message, { cause: reason })
    this.reason = reason
  }
}

/**
 * Waits for work unless an interruption comes first. Then `stop` is awaited, so that the work has really ended
 * when this rejects with `Interrupted`. Work that ends while it is being stopped counts as interrupted.
 */
export const interruptible = async <T>(
  work: () => Promise<T>,
  interruptions: readonly Interruption[],
  stop: (reason: Error, ended: Promise<unknown>) => Promise<void>,
): Promise<T> => {
  const { promise: interrupted, resolve: interrupt } = Promise.withResolvers<Error>()
  const unwatch = interruptions.map(watch => watch(interrupt))
  const running = work()
  const ended = running.catch(() => {})
  try {
    const first = await Promise.race([
      interrupted.then(reason => ({ reason })),
      running.then(value => ({ value })),
    ])
    if ('value' in first) return first.value
    await stop(first.reason, ended)
    throw new Interrupted(first.reason)
  } finally {
    for (const end of unwatch) end()
  }
}

const wirePollMs = 20

/** The server sent far more than the byte cap before there was a whole row: a single value is huge. */
export class WireOverflow extends Error {
  override readonly name = 'WireOverflow'

  constructor() {
    super('The server sent more than the byte cap allows.')
  }
}

/**
 * Received bytes after which a statement is stopped in the middle of a row. Well above `maxBytes`, which counts
 * values: the protocol adds lengths and headers, and writes bytes as hexadecimal digits.
 */
export const maxWireBytes = (maxBytes: number): number => 8 * maxBytes + 16 * 1024 * 1024

/** Interrupts when a socket has received this many more bytes. */
export const onWireOverflow = (socket: Socket, maxBytes: number): Interruption => {
  const before = socket.bytesRead
  return pollUntil(
    () => socket.bytesRead - before > maxBytes,
    wirePollMs,
    () => new WireOverflow(),
  )
}

/** The error of a statement that was stopped before its first row was complete. */
export const rowTooLargeError = (maxBytes: number, cause: WireOverflow): SqlError =>
  new SqlError(
    'other',
    `The first rows are larger than the ${maxBytes} bytes that a result can have. Ask for fewer columns.`,
    { cause },
  )
