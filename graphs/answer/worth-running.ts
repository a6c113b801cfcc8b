import type { Candidate } from '../../src/core/candidate.ts'

const ALWAYS = 3
const AT_MOST = 6
const NEAR_EQUAL = 0.5

/**
 * Whether a candidate is worth a query on somebody's warehouse. A path's readings are ranked: the first three run,
 * and further ones only while they are near-equal to the first, because only those could change the answer or
 * be asked about.
 */
export const isWorthRunning = (candidate: Candidate, all: readonly Candidate[]): boolean => {
  if (candidate.rank < ALWAYS) return true
  if (candidate.rank >= AT_MOST) return false
  const first = all.find(
    other => other.path === candidate.path && other.rank === 0 && sameWave(other, candidate),
  )
  return first !== undefined && candidate.prior >= first.prior * NEAR_EQUAL
}

const sameWave = (a: Candidate, b: Candidate): boolean =>
  a.id.split('/', 2).join() === b.id.split('/', 2).join()
