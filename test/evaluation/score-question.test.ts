import { describe, expect, it } from 'vitest'
import type { StatementResult } from '../../src/evaluation/evaluation-database.ts'
import { rewardedEfficiency, speedReward } from '../../src/evaluation/score-question.ts'

const ranIn = (milliseconds: number): StatementResult => ({
  table: { columns: [], rows: [], truncated: null, milliseconds },
})

const pair = { sql: 'answer', gold: 'gold' }

/** Takes so long each time; a list is gone through run by run. */
const clocked = (times: Record<string, number | number[]>) => {
  const runs: string[] = []
  const run = async (sql: string): Promise<StatementResult> => {
    const time = times[sql] ?? 0
    const earlier = runs.filter(other => other === sql).length
    runs.push(sql)
    return ranIn(Array.isArray(time) ? (time[earlier % time.length] ?? 0) : time)
  }
  return { run, runs }
}

describe('R-VES', () => {
  it('rewards in the steps of BIRD', () => {
    expect([0.1, 0.25, 0.49, 0.5, 0.99, 1, 1.99, 2, 50].map(speedReward)).toEqual([
      0.25, 0.5, 0.5, 0.75, 0.75, 1, 1, 1.25, 1.25,
    ])
  })

  it('takes the root of the reward for the mean ratio, answer and gold in turn', async () => {
    const { run, runs } = clocked({ answer: 4, gold: 9 })
    expect(await rewardedEfficiency(pair, { run, runs: 3 })).toBeCloseTo(Math.sqrt(1.25))
    expect(runs).toEqual(['answer', 'gold', 'answer', 'gold', 'answer', 'gold'])
  })

  it('leaves out a run that something else disturbed', async () => {
    const gold = [...Array.from({ length: 30 }, () => 1), 5_000]
    expect(await rewardedEfficiency(pair, { ...clocked({ answer: 1, gold }), runs: 31 })).toBe(1)
  })

  it('takes what is too quick to measure for equally quick', async () => {
    expect(await rewardedEfficiency(pair, { ...clocked({ answer: 0, gold: 0 }), runs: 2 })).toBe(1)
  })

  it('is zero when a run fails', async () => {
    const run = async (): Promise<StatementResult> => ({ error: 'gone' })
    expect(await rewardedEfficiency(pair, { run })).toBe(0)
  })
})
