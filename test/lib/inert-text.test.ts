import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toInertText, withoutInvisible, withoutInvisibleIn } from '../../src/lib/inert-text.ts'
import { invisibleCharacters, invisibleIn } from '../helpers/invisible-characters.ts'

it.each([
  ['there are no salaries', 'there are no salaries'],
  ['  There are\nno salaries.  ', 'There are no salaries.'],
  ['No salaries. No pay. Ask HR. Or not.', 'No salaries. No pay.'],
  ['See https://evil.example/x?y=1 for more.', 'See for more.'],
  ['See [the page](https://evil.example) now', 'See the page now'],
  ['<!channel> <@U012AB3CD> <https://evil.example|click> here', 'here'],
  ['@here @channel look', 'here channel look'],
  ['*bold* _italic_ ~gone~ `code` stays', 'bold italic gone code stays'],
  ['write to ceo@corp.example today', 'write to today'],
  ['go to evil.example.com today', 'go to evil example com today'],
  ['the table orders.customer_id has 12.5 of them', 'the table orders customer_id has 12.5 of them'],
  ['```\nrm -rf\n``` nothing', 'nothing'],
  ['a\u202eb\u0007c\u200b', 'a b c'],
  [':rotating_light: act now', 'act now'],
  ['> quoted', 'quoted'],
  ['**', null],
  ['', null],
  ['...', null],
])('%j is shown as %j', (text, shown) => {
  expect(toInertText(text)).toBe(shown)
})

it('cuts a long text, and leaves nothing active in it', () => {
  const shown = toInertText('word '.repeat(200)) ?? ''
  expect(shown.length).toBeLessThanOrEqual(240)
  expect(shown.endsWith('…')).toBe(true)
})

describe('text without what nobody sees', () => {
  it('has none of it, wherever it stands and however often', () => {
    const words = fc.constantFrom('a', 'Ω', ' ', '9', '漢', '<', '\n', '😀', 'ب', 'क')
    const hidden = fc.constantFrom(...invisibleCharacters)
    fc.assert(
      fc.property(fc.array(fc.tuple(words, fc.array(hidden, { maxLength: 3 }))), parts => {
        const clean = withoutInvisible(parts.map(([word, signs]) => word + signs.join('')).join(''))
        // Within words of joined scripts and in emoji, one joiner or selector may be right.
        const alone = clean
          .replaceAll(/(?<=[بक])[\u200c\u200d](?=[بक])/gu, '')
          .replaceAll(/(?<=😀)(\u200d(?=😀)|[\ufe0e\ufe0f](\u200d(?=😀))?)/gu, '')
        expect(invisibleIn(alone)).toEqual([])
        expect(clean.replaceAll(/\u200c|\u200d|\ufe0e|\ufe0f/g, '')).toBe(
          parts.map(([word]) => word).join(''),
        )
        expect(withoutInvisible(clean)).toBe(clean)
      }),
    )
    for (const sign of invisibleCharacters) expect(withoutInvisible(`a${sign}b`)).toBe('ab')
  })

  it.each([
    '👨‍👩‍👧 família',
    '👩🏽‍🚀',
    '🏳️‍🌈',
    '1️⃣',
    '❤️',
    '😶‍🌫️',
    'می‌خواهم',
    'क्‍ष',
    'ශ්‍රී ලංකා',
    '٤٢',
    '\u0600٤٢',
    'a\tb\r\n',
  ])('leaves %j as it is', text => {
    expect(withoutInvisible(text)).toBe(text)
  })

  it('is made of every text in a value, but for what is kept', () => {
    const given = { text: 'a\u{e0041}b', rows: [['\u{e0042}', 3, null, '']], value: 'k\u200b' }
    expect(withoutInvisibleIn(given, new Set(['value']))).toEqual({
      text: 'ab',
      rows: [['–', 3, null, '']],
      value: 'k\u200b',
    })
  })
})
