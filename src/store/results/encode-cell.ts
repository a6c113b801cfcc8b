import type { Cell } from '../../core/result.ts'

/**
 * A cell as JSON. Null, booleans, text and most numbers are themselves; what JSON has no word for is an object of one
 * field: `i` a whole number past 2^53, `b` bytes in base64, `n` a number that JSON cannot write.
 */
export type EncodedCell =
  | null
  | boolean
  | number
  | string
  | { readonly i: string }
  | { readonly b: string }
  | { readonly n: 'NaN' | 'Infinity' | '-Infinity' | '-0' }

/** Writes a cell so that `decodeCell` gives the same cell back. */
export const encodeCell = (cell: Cell): EncodedCell => {
  if (typeof cell === 'bigint') return { i: cell.toString() }
  if (cell instanceof Uint8Array) return { b: Buffer.from(cell).toString('base64') }
  if (typeof cell === 'number') {
    if (Object.is(cell, -0)) return { n: '-0' }
    if (Number.isNaN(cell)) return { n: 'NaN' }
    if (!Number.isFinite(cell)) return { n: cell > 0 ? 'Infinity' : '-Infinity' }
  }
  return cell
}
