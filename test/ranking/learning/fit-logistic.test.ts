import { describe, expect, it } from 'vitest'
import { fitLogistic, probabilityOf } from '../../../src/ranking/learning/fit.ts'

const cases = [
  [0, true],
  [0, false],
  [1, true],
  [1, true],
  [2, true],
  [-1, false],
  [-2, false],
  [-1, true],
] as const

describe('fitLogistic', () => {
  it('finds the logit of the share by an intercept alone', () => {
    const model = fitLogistic([true, true, true, false].map(right => ({ measures: [1], right })))
    expect(model[0]).toBeCloseTo(Math.log(3), 3)
    expect(probabilityOf([1], model)).toBeCloseTo(0.75, 3)
  })

  it('stands where no point of a fine grid is better', () => {
    const price = (intercept: number, slope: number): number =>
      slope ** 2 / 2 +
      cases.reduce((sum, [x, right]) => {
        const logit = intercept + slope * x
        return sum + Math.log1p(Math.exp(right ? -logit : logit))
      }, 0)
    let best = { intercept: 0, slope: 0, price: Number.POSITIVE_INFINITY }
    for (let a = -300; a <= 300; a++)
      for (let b = -300; b <= 300; b++) {
        const here = price(a / 100, b / 100)
        if (here < best.price) best = { intercept: a / 100, slope: b / 100, price: here }
      }
    const [intercept = 0, slope = 0] = fitLogistic(cases.map(([x, right]) => ({ measures: [1, x], right })))
    expect(Math.abs(intercept - best.intercept)).toBeLessThanOrEqual(0.005 + 1e-3)
    expect(Math.abs(slope - best.slope)).toBeLessThanOrEqual(0.005 + 1e-3)
    expect(price(intercept, slope)).toBeLessThanOrEqual(best.price + 1e-9)
  })

  it('stays finite where all are right', () => {
    const model = fitLogistic([1, 2, 3].map(x => ({ measures: [1, x], right: true })))
    expect(model.every(Number.isFinite)).toBe(true)
    expect(probabilityOf([1, 2], model)).toBeGreaterThan(0.9)
  })

  it('is nothing of nothing', () => {
    expect([...fitLogistic([])]).toEqual([])
  })
})
