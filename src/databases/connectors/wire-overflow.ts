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
export const wireLimit = (maxBytes: number): number => 8 * maxBytes + 16 * 1024 * 1024
