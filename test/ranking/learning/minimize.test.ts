import { describe, expect, it } from 'vitest'
import { minimize } from '../../../src/ranking/learning/fit.ts'

const closeTo = (found: Float64Array, wanted: readonly number[]) => {
  expect(found).toHaveLength(wanted.length)
  for (const [i, part] of wanted.entries()) expect(found[i]).toBeCloseTo(part, 4)
}

describe('minimise', () => {
  it('solves a badly scaled quadratic', () => {
    const scales = [1, 100, 10_000]
    const optimum = [3, -2, 0.5]
    const found = minimize((x, gradient) => {
      let value = 0
      for (const [i, scale] of scales.entries()) {
        const away = x[i]! - optimum[i]!
        value += (scale / 2) * away * away
        gradient[i] = scale * away
      }
      return value
    }, new Float64Array(3))
    closeTo(found, optimum)
  })

  it('finds where an exponential and a line balance', () => {
    // e^x - 2x + (y - x)^2 is least at x = y = log 2
    const found = minimize(
      (at, gradient) => {
        const [x = 0, y = 0] = at
        gradient[0] = Math.exp(x) - 2 - 2 * (y - x)
        gradient[1] = 2 * (y - x)
        return Math.exp(x) - 2 * x + (y - x) ** 2
      },
      Float64Array.of(4, -3),
    )
    closeTo(found, [Math.log(2), Math.log(2)])
  })

  it('stays where it starts when that is the minimum', () => {
    const found = minimize((at, gradient) => {
      gradient[0] = 2 * (at[0]! - 5)
      return (at[0]! - 5) ** 2
    }, Float64Array.of(5))
    expect([...found]).toEqual([5])
  })
})
