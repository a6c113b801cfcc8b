/** Milliseconds for a person: `7 ms`, `1.2 s`. */
export const formatMilliseconds = (milliseconds: number | null): string => {
  if (milliseconds === null) return '-'
  if (milliseconds < 10) return `${milliseconds.toFixed(1)} ms`
  return milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
}
