import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shuffle } from '../../src/lib/random.ts'

const hundred = Array.from({ length: 100 }, (_, n) => n)

describe('shuffle', () => {
  it('keeps every item, and depends on the seed alone', () => {
    fc.assert(
      fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
        const shuffled = shuffle(items, seed)
        expect([...shuffled].sort()).toEqual([...items].sort())
        expect(shuffle(items, seed)).toEqual(shuffled)
      }),
    )
  })

  it('gives another order for another seed, and leaves its argument alone', () => {
    const before = [...hundred]
    const orders = new Set(Array.from({ length: 20 }, (_, seed) => shuffle(hundred, seed).join()))
    expect(orders.size).toBe(20)
    expect(hundred).toEqual(before)
  })

  it('puts each of three items first about as often', () => {
    const firsts = [0, 0, 0]
    for (let seed = 0; seed < 3000; seed++) firsts[shuffle([0, 1, 2], seed)[0]!]! += 1
    for (const count of firsts) expect(count).toBeGreaterThan(850)
  })
})
