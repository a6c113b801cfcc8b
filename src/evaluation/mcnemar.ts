import { complementaryError } from './complementary-error.ts'

/** Below so many disagreements the exact binomial is used; above, chi-square is as good. */
const EXACT_BELOW = 25

/** Whether two runs differ by more than chance. `p` is two-sided, from 0 to 1. */
export interface McNemar {
  readonly method: 'exact' | 'chi-square'
  readonly p: number
}

/**
 * McNemar's test over the questions that exactly one of two runs got right: the exact binomial for few of them,
 * else chi-square with Edwards' continuity correction.
 */
export const mcnemar = (onlyA: number, onlyB: number): McNemar => {
  const disagreements = onlyA + onlyB
  if (disagreements < EXACT_BELOW) {
    return { method: 'exact', p: Math.min(1, 2 * lowerTail(Math.min(onlyA, onlyB), disagreements)) }
  }
  const chiSquare = Math.max(0, Math.abs(onlyA - onlyB) - 1) ** 2 / disagreements
  return { method: 'chi-square', p: complementaryError(Math.sqrt(chiSquare / 2)) }
}

/** P(at most k heads in n throws of a fair coin). */
const lowerTail = (k: number, n: number): number => {
  let term = 0.5 ** n
  let sum = 0
  for (let heads = 0; heads <= k; heads++) {
    sum += term
    term *= (n - heads) / (heads + 1)
  }
  return sum
}
