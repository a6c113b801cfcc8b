import type { ResultTable } from '../../core/result.ts'

/** The counts of a result of one row; null for a result of another shape. */
export const readCounts = ({ rows }: ResultTable, how: number): readonly number[] | null => {
  const [row] = rows
  if (rows.length !== 1 || row === undefined || row.length !== how) return null
  const counts = row.map(Number)
  return counts.every(Number.isFinite) ? counts : null
}
