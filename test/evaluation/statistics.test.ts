import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  complementaryError,
  mcnemar,
  pairedBootstrap,
  percentile,
  seededRandom,
} from '../../src/evaluation/statistics.ts'

describe('percentile', () => {
  it.each([
    [[], 0.5, null],
    [[7], 0.95, 7],
    [[1, 2, 3, 4], 0.5, 2.5],
    [[4, 1, 3, 2], 0.25, 1.75],
    [[10, 20], 0.95, 19.5],
    [[3, 1, 2], 0, 1],
    [[3, 1, 2], 1, 3],
    [[2, 10, 1], 0.5, 2],
  ])('of %j at %d is %j', (numbers, share, expected) => {
    expect(percentile(numbers, share)).toEqual(expected === null ? null : expect.closeTo(expected, 12))
  })

  it('lies within the numbers and grows with the share', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true })
    const numbers = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(numbers, share, share, (all, a, b) => {
        const low = percentile(all, Math.min(a, b))!
        const high = percentile(all, Math.max(a, b))!
        expect(low).toBeGreaterThanOrEqual(Math.min(...all))
        expect(high).toBeLessThanOrEqual(Math.max(...all))
        expect(high - low).toBeGreaterThanOrEqual(-1e-9)
      }),
    )
  })
})

describe('seededRandom', () => {
  it('repeats itself for the same seed, and not for another', () => {
    const draw = (seed: number) => {
      const random = seededRandom(seed)
      return Array.from({ length: 5 }, random)
    }
    expect(draw(3)).toEqual(draw(3))
    expect(draw(3)).not.toEqual(draw(4))
  })

  it('fills the range evenly', () => {
    const random = seededRandom(1)
    const counts = new Array<number>(10).fill(0)
    for (let n = 0; n < 10_000; n++) counts[Math.floor(random() * 10)]!++
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })
})

describe('mcnemar', () => {
  // Two-sided exact binomial by hand: 2 * (C(n,0) + ... + C(n,k)) / 2^n.
  it.each([
    [0, 0, 1],
    [0, 5, 2 / 32],
    [5, 0, 2 / 32],
    [1, 5, (2 * 7) / 64],
    [3, 3, 1],
    [2, 8, (2 * 56) / 1024],
  ])('%d against %d: exact, p = %d', (a, b, p) => {
    expect(mcnemar(a, b)).toEqual({ method: 'exact', p: expect.closeTo(p, 12) })
  })

  it('many disagreements: chi-square with continuity', () => {
    // (|10 - 30| - 1)^2 / 40 = 9.025 on one degree of freedom.
    expect(mcnemar(10, 30)).toEqual({ method: 'chi-square', p: expect.closeTo(0.0026634, 6) })
    expect(mcnemar(20, 20).p).toBeCloseTo(1, 6)
  })

  it('is the same from both sides, and falls as the sides part', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.nat(200), (a, b) => {
        expect(mcnemar(a, b)).toEqual(mcnemar(b, a))
        expect(mcnemar(a, b).p).toBeLessThanOrEqual(1)
        expect(mcnemar(0, a + b + 1).p).toBeLessThanOrEqual(mcnemar(a, b + 1).p + 1e-7)
      }),
    )
  })
})

describe('complementaryError', () => {
  it.each([
    [0, 1],
    [0.5, 0.4795001221869535],
    [1, 0.15729920705028513],
    [2, 0.004677734981047266],
    [4, 1.541725790028002e-8],
  ])('of %d', (x, expected) => {
    expect(Math.abs(complementaryError(x) / expected - 1)).toBeLessThan(2e-7)
  })
})

describe('pairedBootstrap', () => {
  const scores = Array.from({ length: 200 }, (_, n) => ({
    a: Number(n % 2 === 0),
    b: Number(n % 2 === 0 || n % 10 === 1),
    database: `d${n % 4}`,
  }))

  it('is null without scores, and a point without differences', () => {
    expect(pairedBootstrap([])).toBeNull()
    expect(
      pairedBootstrap([
        { a: 1, b: 1 },
        { a: 0, b: 0 },
      ]),
    ).toEqual({ low: 0, high: 0 })
  })

  it('holds the difference, about as wide as the normal interval', () => {
    const interval = pairedBootstrap(scores)!
    // 20 of 200 better: .1 plus or minus 1.96 * sqrt(.1 * .9 / 200).
    expect(interval.low).toBeCloseTo(0.1 - 0.0416, 1.7)
    expect(interval.high).toBeCloseTo(0.1 + 0.0416, 1.7)
  })

  it('repeats itself for a seed, and hardly moves with another', () => {
    const first = pairedBootstrap(scores, { seed: 1 })!
    expect(pairedBootstrap(scores, { seed: 1 })).toEqual(first)
    const other = pairedBootstrap(scores, { seed: 2 })!
    expect(Math.abs(other.low - first.low)).toBeLessThan(0.01)
  })

  it('turns around when the runs change places', () => {
    const there = pairedBootstrap(scores)!
    const back = pairedBootstrap(scores.map(({ a, b }) => ({ a: b, b: a })))!
    expect(back.low).toBeCloseTo(-there.high, 10)
    expect(back.high).toBeCloseTo(-there.low, 10)
  })

  it('is wider when whole databases are drawn and the gain sits in one of them', () => {
    const uneven = Array.from({ length: 200 }, (_, n) => ({
      a: 0,
      b: Number(n < 50),
      database: `d${n % 200 < 50 ? 0 : n % 4}`,
    }))
    const byQuestion = pairedBootstrap(uneven)!
    const byDatabase = pairedBootstrap(uneven, { by: 'database' })!
    expect(byDatabase.high - byDatabase.low).toBeGreaterThan(byQuestion.high - byQuestion.low)
  })
})
