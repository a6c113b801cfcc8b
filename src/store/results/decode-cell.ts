import { QuerentError } from '../../core/errors.ts'
import type { Cell } from '../../core/result.ts'

const NUMBERS: Readonly<Record<string, number>> = { NaN, Infinity, '-Infinity': -Infinity, '-0': -0 }

/** Reads a cell that `encodeCell` wrote. Throws `internal` on anything else: checked by hand, there may be millions. */
export const decodeCell = (encoded: unknown): Cell => {
  if (encoded === null) return null
  switch (typeof encoded) {
    case 'boolean':
    case 'number':
    case 'string':
      return encoded
    case 'object': {
      const { i, b, n } = encoded as { i?: unknown; b?: unknown; n?: unknown }
      if (typeof i === 'string' && /^-?\d+$/.test(i)) return BigInt(i)
      if (typeof b === 'string') return new Uint8Array(Buffer.from(b, 'base64'))
      const number = typeof n === 'string' ? NUMBERS[n] : undefined
      if (number !== undefined) return number
    }
  }
  throw new QuerentError('internal', `a saved result has a cell that cannot be read: ${typeof encoded}`)
}
