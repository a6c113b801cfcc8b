import { expect, it } from 'vitest'
import { extractKeywords } from '../../../graphs/answer/extract-keywords.ts'

it('puts quoted spans first', () => {
  expect(extractKeywords('orders of "Nora Lind" since May')[0]).toBe('Nora Lind')
})

it('takes spans of several words, longest first, without function words at their ends', () => {
  const keywords = extractKeywords('How many tents did we sell in New Haven?')
  expect(keywords).toContain('New Haven')
  expect(keywords).not.toContain('in New Haven')
  expect(keywords.indexOf('New Haven')).toBeLessThan(keywords.indexOf('New'))
})

it('keeps an apostrophe inside a word', () => {
  expect(extractKeywords("What is O'Brien's city?")).toContain("O'Brien's city")
})

it('finds nothing in function words alone', () => {
  expect(extractKeywords('how many are there?')).toEqual([])
})
