import { describe, expect, it } from 'vitest'
import { compareStrategies, renderComparison } from '../../src/evaluation/compare-strategies.ts'
import { makeEvaluated } from './make-evaluated.ts'

const ids = Array.from({ length: 20 }, (_, at) => String(at))

/** Twenty questions, of which the first so many are right. */
const run = (strategy: string, right: number, more = {}) => ({
  strategy,
  evaluated: ids.map((id, at) => makeEvaluated({ id, ex: at < right, ...more })),
})

describe('a comparison of strategies', () => {
  it('holds every strategy against the first, paired by question', () => {
    const { strategies, against } = compareStrategies([
      run('adaptive', 18),
      run('mac-sql', 12, { modelCalls: 3 }),
    ])
    expect(strategies.map(({ strategy, summary }) => [strategy, summary.ex])).toEqual([
      ['adaptive', 0.9],
      ['mac-sql', 0.6],
    ])
    expect(against).toHaveLength(1)
    expect(against[0]?.diff).toMatchObject({ questions: 20, difference: -0.3 })
    expect(against[0]?.diff.onlyARight).toHaveLength(6)
    expect(against[0]?.diff.mcnemar.p).toBeLessThan(0.05)
  })

  it('is a table with a row each, and without a cost where a model has no price', () => {
    const priced = run('adaptive', 18, { money: 0.02, modelCalls: 5, promptTokens: 900 })
    const unpriced = run('mac-sql', 12, { money: null, modelCalls: 3 })
    const lines = renderComparison(compareStrategies([priced, unpriced])).split('\n')
    expect(lines[2]).toContain('| adaptive | 90.0 % | 100.0 % | - | 100.0 % | 5.00 | 900 | 0 | 0.0200 |')
    expect(lines[3]).toMatch(/^\| mac-sql \| 60\.0 % .* \| 3\.00 \| 0 \| 0 \| - \|.*\| -30\.0 \(-\d/)
    expect(lines.at(-1)).toMatch(/^n = 20 questions/)
  })
})
