import fc from 'fast-check'
import { expect, it } from 'vitest'
import { doubleClickKeys } from '../../../src/slack/listeners/ask-on-behalf.ts'

const click = { person: 'U1', where: 'T C 1.0', text: 'how many tents?' }

/** Claims as the store takes them: all of a click, or none. */
const taking = () => {
  const taken = new Set<string>()
  return (keys: readonly string[]): boolean => {
    if (keys.some(key => taken.has(key))) return false
    for (const key of keys) taken.add(key)
    return true
  }
}

it('of two clicks within five seconds one asks; after ten both do', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2_000_000_000_000 }),
      fc.integer({ min: 0, max: 60_000 }),
      (at, ms) => {
        const take = taking()
        expect(take(doubleClickKeys(click, new Date(at)))).toBe(true)
        const second = take(doubleClickKeys(click, new Date(at + ms)))
        if (ms <= 5_000) expect(second).toBe(false)
        if (ms >= 10_000) expect(second).toBe(true)
      },
    ),
  )
})

it('other people, places and questions are other clicks', () => {
  const take = taking()
  const at = new Date(0)
  expect(take(doubleClickKeys(click, at))).toBe(true)
  expect(take(doubleClickKeys({ ...click, person: 'U2' }, at))).toBe(true)
  expect(take(doubleClickKeys({ ...click, where: 'T C 2.0' }, at))).toBe(true)
  expect(take(doubleClickKeys({ ...click, text: 'how many boats?' }, at))).toBe(true)
})
