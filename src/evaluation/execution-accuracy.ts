import type { ResultTable } from '../core/result.ts'
import { distinctRows } from './distinct-rows.ts'

/**
 * Execution accuracy (EX) as BIRD defines it (Li et al. 2023, section 4.1): the sets of rows are equal. Row order,
 * duplicates and column names do not matter; column order does, and an extra column is wrong. Two empty results
 * are equal whatever their columns. Linear in the number of cells.
 */
export const sameRows = (a: ResultTable, b: ResultTable): boolean => {
  if (a.rows.length === 0 || b.rows.length === 0) return a.rows.length === b.rows.length
  if (a.columns.length !== b.columns.length) return false
  const [left, right] = distinctRows(a, b)
  return left.rowCount === right.rowCount && [...left.keys].every(key => right.keys.has(key))
}
