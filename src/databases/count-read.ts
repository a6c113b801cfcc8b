import type { ResultTable } from '../core/result.ts'
import { cellBytes } from './connectors/cell-bytes.ts'

/** What was read of a result, by the measure of `maxBytes`. */
export const countRowsAndBytes = ({
  rows,
}: ResultTable): { readonly rows: number; readonly bytes: number } => {
  let bytes = 0
  for (const row of rows) for (const cell of row) bytes += cellBytes(cell)
  return { rows: rows.length, bytes }
}
