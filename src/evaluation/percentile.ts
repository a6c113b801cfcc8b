/**
 * The value below which a share (0 to 1) of the numbers lies, interpolated between neighbours as numpy and
 * Postgres's `percentile_cont` do. Null when there are none.
 */
export const percentile = (numbers: readonly number[], share: number): number | null => {
  const sorted = Float64Array.from(numbers).sort()
  if (sorted.length === 0) return null
  const at = Math.min(Math.max(share, 0), 1) * (sorted.length - 1)
  const below = sorted[Math.floor(at)]!
  const above = sorted[Math.ceil(at)]!
  return below + (above - below) * (at - Math.floor(at))
}
