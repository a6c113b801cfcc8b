import type { PoolQuestion } from './execute-pools.ts'

/**
 * One question with the candidates of several pools, the first of each, then the second of each: what a pool of all
 * these sources would have been, without running anything again. `parts` are of the same question, at least one.
 */
export const mixPools = (parts: readonly [PoolQuestion, ...PoolQuestion[]]): PoolQuestion => {
  const longest = Math.max(...parts.map(({ candidates }) => candidates.length))
  const places = Array.from({ length: longest }, (_, rank) =>
    parts.flatMap(part => (rank < part.candidates.length ? [{ part, rank }] : [])),
  ).flat()
  return {
    ...parts[0],
    candidates: places.map(({ part, rank }) => part.candidates[rank]!),
    ballots: places.map(({ part, rank }) => part.ballots[rank]!),
    labels: places.map(({ part, rank }) => part.labels[rank]!),
  }
}
