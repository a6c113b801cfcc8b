import { describe, expect, it } from 'vitest'
import { shippedBenchmark } from '../../src/ranking/learning/shipped-benchmark.ts'

describe('the shipped benchmark', () => {
  it('asks only what can be got right and wrong', () => {
    expect(shippedBenchmark.length).toBeGreaterThanOrEqual(50)
    for (const { id, groups, right } of shippedBenchmark) {
      const keys = groups.map(({ key }) => key)
      expect(new Set(keys).size, id).toBe(keys.length)
      expect(keys.length, id).toBeGreaterThan(right.size)
      expect(
        [...right].every(key => keys.includes(key)),
        id,
      ).toBe(true)
    }
  })

  it('is not answered by always taking the first result', () => {
    const first = shippedBenchmark.filter(({ groups, right }) => right.has(groups[0]!.key)).length
    expect(first).toBeLessThan(shippedBenchmark.length - 4)
  })
})
