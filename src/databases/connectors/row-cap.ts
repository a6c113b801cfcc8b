import type { Cell, RunLimits } from '../../domain/result.ts'

/** Decides row by row whether a result can go on. After the first refusal it refuses every row. */
interface RowCap {
  /** Null if the row fits, else the cap that it would exceed; then the row is not part of the result. */
  readonly refuse: (row: readonly Cell[]) => 'rows' | 'bytes' | null
  /** Bytes of the rows taken so far (see `cellBytes`). */
  readonly bytes: () => number
  readonly rows: () => number
}

/** Counts rows and bytes of one result. Every connector uses it, so they all stop at the same row. */
export const makeRowCap = (limits: Pick<RunLimits, 'maxRows' | 'maxBytes'>): RowCap => {
  let rows = 0
  let bytes = 0
  let refused: 'rows' | 'bytes' | null = null
  return {
    refuse: row => {
      if (refused !== null) return refused
      if (rows >= limits.maxRows) {
        refused = 'rows'
        return refused
      }
      let weight = 0
      for (const cell of row) weight += cellBytes(cell)
      if (bytes + weight > limits.maxBytes) {
        refused = 'bytes'
        return refused
      }
      rows += 1
      bytes += weight
      return null
    },
    bytes: () => bytes,
    rows: () => rows,
  }
}

/**
 * The bytes that a cell counts toward `maxBytes`: text as UTF-8, numbers as eight bytes, NULL and booleans as one.
 */
export const cellBytes = (cell: Cell): number => {
  if (cell === null || typeof cell === 'boolean') return 1
  if (typeof cell === 'string') return Buffer.byteLength(cell)
  if (typeof cell === 'number') return 8
  if (typeof cell === 'bigint') return Math.max(8, Math.ceil(cell.toString(16).length / 2))
  return cell.byteLength
}
