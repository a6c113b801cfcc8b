import fc from 'fast-check'
import { expect, it } from 'vitest'
import { escapeAndTruncate, escapeSentence, fallbackText } from '../../../src/slack/block-kit/text.ts'

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

it.each([
  ['a*b* _c_ ~d~ `e`', 'a∗b∗ ˍcˍ ∼d∼ ˋeˋ'],
  ['order_items of snake_case', 'order_items of snake_case'],
  ['12\n*Confirmed by* <@U012345>', '12 ∗Confirmed by∗ &lt;@U012345&gt;'],
  ['one\u2028two\u0007\u202ethree\u200bfour', 'one two three four'],
  [':rotating_light: at 10:30:00, :100:', '∶rotating_light: at 10:30:00, ∶100:'],
  ['👨‍👩‍👧 família', '👨‍👩‍👧 família'],
])('shows a value among our words without styles or lines of its own: %j', (text, shown) => {
  expect(escapeSentence(text)).toBe(shown)
})

it('makes no link of an address in the text beside the blocks', () => {
  expect(fallbackText('see https://evil.example/x')).toBe('see https:⁄⁄evil.example/x')
})
