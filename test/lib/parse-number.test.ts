import { expect, it } from 'vitest'
import { parseNumber } from '../../src/lib/parse-number.ts'

it.each([
  ['three', 3],
  ['1,000', 1000],
  ['2k', 2000],
  ['2.5 k', 2500],
  ['twenty-five', 25],
  ['Two hundred and ten', 210],
  ['one thousand two hundred', 1200],
  ['3 million', 3_000_000],
  ['third', 3],
  ['twentieth', 20],
  ['22nd', 22],
  ['0', 0],
])('%s is %d', (text, number) => {
  expect(parseNumber(text)).toBe(number)
})

it.each(['', 'hundred', 'five apples', 'two three', '12th street', '5 5', 'k', 'and', 'twenty eleven'])(
  '%j is no number',
  text => {
    expect(parseNumber(text)).toBeNull()
  },
)
