import type { Cell } from '../../core/result.ts'

/** What a cell weighs against `maxBytes`: text as UTF-8, numbers as eight bytes, NULL and booleans as one. */
export const cellBytes = (cell: Cell): number => {
  if (cell === null || typeof cell === 'boolean') return 1
  if (typeof cell === 'string') return Buffer.byteLength(cell)
  if (typeof cell === 'number') return 8
  if (typeof cell === 'bigint') return Math.max(8, Math.ceil(cell.toString(16).length / 2))
  return cell.byteLength
}
