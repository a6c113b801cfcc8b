import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeAndTruncate } from '../../../src/slack/block-kit/text.ts'

it('escapes short text whole', () => {
  expect(escapeAndTruncate('a < b & c', 100)).toBe('a &lt; b &amp; c')
})

it('never exceeds its limit, and never cuts an escape in two', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('<', '&', 'a', '😀'), maxLength: 200 }),
      fc.integer({ min: 5, max: 60 }),
      (text, most) => {
        const escaped = escapeAndTruncate(text, most)
        expect(escaped.length).toBeLessThanOrEqual(most)
        expect(escaped.replace(/&(amp|lt|gt);/g, '')).not.toMatch(/[&<>]/)
      },
    ),
    { seed: 5, numRuns: 300 },
  )
})
