import { percentile } from './percentile.ts'
import { seededRandom } from './seeded-random.ts'

/** What two runs scored on one question. `database` groups questions that rise and fall together. */
export interface PairedScores {
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
