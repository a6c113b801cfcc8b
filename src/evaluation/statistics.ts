/** What two runs scored on one question. `database` groups questions that rise and fall together. */
interface PairedScores {
  readonly a: number
  readonly b: number
  readonly database?: string
}

/** Interval of the mean of b - a. */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** How to draw. Same seed, same interval. */
export interface BootstrapOptions {
  /** Draw single questions, or whole databases: the second says what to expect on a database not seen yet. */
  readonly by?: 'question' | 'database'
  readonly resamples?: number
  readonly level?: number
  readonly seed?: number
}

/** Percentile bootstrap of the paired difference (Efron and Tibshirani 1993, chapter 13). Null without scores. */
export const pairedBootstrap = (
  scores: readonly PairedScores[],
  { by = 'question', resamples = 10_000, level = 0.95, seed = 1 }: BootstrapOptions = {},
): Interval | null => {
  if (scores.length === 0) return null
  const clusters = by === 'question' ? scores.map(score => [score]) : groupByDatabase(scores)
  const sums = clusters.map(cluster => cluster.reduce((sum, { a, b }) => sum + b - a, 0))
  const sizes = clusters.map(cluster => cluster.length)
  const random = seededRandom(seed)
  const means = Array.from({ length: resamples }, () => {
    let sum = 0
    let size = 0
    for (let draw = 0; draw < clusters.length; draw++) {
      const drawn = Math.floor(random() * clusters.length)
      sum += sums[drawn]!
      size += sizes[drawn]!
    }
    return sum / size
  })
  const tail = (1 - level) / 2
  return { low: percentile(means, tail)!, high: percentile(means, 1 - tail)! }
}

const groupByDatabase = (scores: readonly PairedScores[]): PairedScores[][] => [
  ...Map.groupBy(scores, score => score.database ?? '').values(),
]

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

/**
 * erfc(x) for x >= 0, to a relative error below 1.2e-7: the Chebyshev fit of Numerical Recipes (2nd edition, 6.2).
 */
export const complementaryError = (x: number): number => {
  const t = 1 / (1 + x / 2)
  const polynomial = COEFFICIENTS.reduceRight((sum, coefficient) => sum * t + coefficient, 0)
  return Math.min(1, t * Math.exp(polynomial - x * x))
}

const COEFFICIENTS = [
  -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
  -0.82215223, 0.17087277,
]

/**
 * The value below which a share (0 to 1) of the numbers lies, interpolated between neighbours as numpy and
 * Postgres's `percentile_cont` do. Null if there are none.
 */
export const percentile = (numbers: readonly number[], share: number): number | null => {
  const sorted = Float64Array.from(numbers).sort()
  if (sorted.length === 0) return null
  const at = Math.min(Math.max(share, 0), 1) * (sorted.length - 1)
  const below = sorted[Math.floor(at)]!
  const above = sorted[Math.ceil(at)]!
  return below + (above - below) * (at - Math.floor(at))
}

/** Numbers from 0 (included) to 1 (excluded), the same for the same seed: mulberry32, by Tommy Ettinger. */
export const seededRandom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
