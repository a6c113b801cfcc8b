import { expect, it } from 'vitest'
import { toInertText } from '../../src/lib/inert-text.ts'

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
