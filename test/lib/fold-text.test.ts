import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldText } from '../../src/lib/fold-text.ts'

describe('foldText', () => {
  it.each([
    ['ZÜRICH', 'zurich'],
    ['Zu\u0308rich', 'zurich'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['Ærø', 'aero'],
    ['İstanbul', 'istanbul'],
    ['A-1 b', 'a-1 b'],
    ['東京', '東京'],
  ])('%s', (text, folded) => {
    expect(foldText(text)).toBe(folded)
  })

  it('is done after one round, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => foldText(foldText(text)) === foldText(text)),
    )
  })
})
