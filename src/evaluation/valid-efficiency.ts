import type { ResultTable } from '../core/result.ts'
import type { RunStatement } from './run-statement.ts'

/** BIRD runs each pair a hundred times. */
export const RVES_RUNS = 100

/** Ratios further from the mean than so many standard deviations are taken for disturbances (BIRD's own rule). */
const OUTLIER = 3

/**
 * R-VES of one right answer (BIRD mini-dev, `evaluation_ves.py`): how many times as fast as the gold it is, over `runs`
 * alternating pairs without outliers, turned into a reward, of which the square root is taken. 0 when a run fails.
 */
export const rewardedEfficiency = async (
  pair: { readonly sql: string; readonly gold: string },
  { run, runs = RVES_RUNS }: { readonly run: RunStatement; readonly runs?: number },
): Promise<number> => {
  const ratios: number[] = []
  for (let i = 0; i < runs; i++) {
    const answer = tableOf(await run(pair.sql))
    const gold = tableOf(await run(pair.gold))
    if (answer === null || gold === null) return 0
    ratios.push(Math.max(gold.milliseconds, SHORTEST_MS) / Math.max(answer.milliseconds, SHORTEST_MS))
  }
  return Math.sqrt(speedReward(meanWithoutOutliers(ratios)))
}

/** Below a microsecond there is nothing left to be measured. */
const SHORTEST_MS = 0.001

const tableOf = (ran: Awaited<ReturnType<RunStatement>>): ResultTable | null =>
  'table' in ran ? ran.table : null

/** BIRD's steps: twice as fast as the gold earns a quarter more, twice as slow costs a quarter. */
export const speedReward = (ratio: number): number => {
  if (ratio >= 2) return 1.25
  if (ratio >= 1) return 1
  if (ratio >= 0.5) return 0.75
  return ratio >= 0.25 ? 0.5 : 0.25
}

const meanWithoutOutliers = (numbers: readonly number[]): number => {
  const mean = average(numbers)
  const deviation = Math.sqrt(average(numbers.map(number => (number - mean) ** 2)))
  const kept = numbers.filter(number => Math.abs(number - mean) <= OUTLIER * deviation)
  return kept.length > 0 ? average(kept) : mean
}

const average = (numbers: readonly number[]): number =>
  numbers.reduce((sum, number) => sum + number, 0) / numbers.length
