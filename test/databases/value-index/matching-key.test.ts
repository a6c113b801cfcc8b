import { describe, expect, it } from 'vitest'
import { numberWordsToDigits } from '../../../src/databases/value-index/matching-key.ts'

describe('numbers in words', () => {
  it.each([
    ['forty two', '42'],
    ['seven', '7'],
    ['three hundred and five', '305'],
    ['two hundred thousand', '200000'],
    ['one million two hundred thousand and six', '1200006'],
    ['nineteen eighty four', '19 84'],
    ['twenty twenty', '20 20'],
    ['room twenty one b', 'room 21 b'],
    ['one and two', '1 and 2'],
    ['five hundred and counting', '500 and counting'],
    ['hundred thousand', 'hundred thousand'],
    ['zero tolerance', '0 tolerance'],
    ['nothing here', 'nothing here'],
  ])('%s is %s', (words, written) => {
    expect(numberWordsToDigits(words.split(' ')).join(' ')).toBe(written)
  })
})
