import type { Socket } from 'node:net'
import { SqlError } from '../../core/sql-error.ts'
import { type Interruption, pollUntil } from './interruptible.ts'

const wirePollMs = 20

/** The server sent far more than the byte cap before the rows could be looked at: some single value is huge. */
export class WireOverflow extends Error {
  override readonly name = 'WireOverflow'

  constructor() {
    super('The server sent more than the byte cap allows.')
  }
}

/**
 * Bytes on the wire at which a statement is cut off in the middle of a row. Well above `maxBytes`, which counts
 * values: the wire adds lengths and headers, and writes bytes as hexadecimal digits.
 */
export const maxWireBytes = (maxBytes: number): number => 8 * maxBytes + 16 * 1024 * 1024

/** Interrupts when a socket has received more than this many bytes from now on. */
export const onWireOverflow = (socket: Socket, maxBytes: number): Interruption => {
  const before = socket.bytesRead
  return pollUntil(
    () => socket.bytesRead - before > maxBytes,
    wirePollMs,
    () => new WireOverflow(),
  )
}

/** What a statement fails with that was cut off before its first row was whole. */
export const rowTooLargeError = (maxBytes: number, cause: WireOverflow): SqlError =>
  new SqlError(
    'other',
    `The first rows are larger than the ${maxBytes} bytes that a result may have. Ask for fewer columns.`,
    { cause },
  )
