import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenize } from '../../src/parser/tokenize.ts'

const kinds = (text: string) => tokenize(text).map(token => `${token.kind}:${token.text}`)

describe('tokenise', () => {
  it('keeps quoted spans together, and apostrophes inside words', () => {
    expect(kinds(`books called "The Quiet Valley" by O'Hara's 'old friend'`)).toEqual([
      'word:books',
      'word:called',
      'quoted:The Quiet Valley',
      'word:by',
      "word:O'Hara",
      "mark:'s",
      'quoted:old friend',
    ])
  })

  it('reads numbers with commas, decimals and words', () => {
    expect(
      tokenize('1,250 or 3.5 or twelve').flatMap(token => (token.number === null ? [] : [token.number])),
    ).toEqual([1250, 3.5, 12])
  })

  it('takes addresses and days as one token', () => {
    expect(kinds('mail ann@library.example on 2026-11-20')).toEqual([
      'word:mail',
      'quoted:ann@library.example',
      'word:on',
      'quoted:2026-11-20',
    ])
  })

  it('folds and stems words as names of a schema are', () => {
    const [token] = tokenize('Cafés')
    expect([token?.folded, token?.stem]).toEqual(['cafes', 'cafe'])
    expect(tokenize('countries')[0]?.stem).toBe(tokenize('country')[0]?.stem)
  })

  it('says where each token stands, in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        let end = 0
        for (const token of tokenize(text)) {
          expect(token.at[0]).toBeGreaterThanOrEqual(end)
          expect(token.at[1]).toBeGreaterThan(token.at[0])
          end = token.at[1]
        }
        expect(end).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})
