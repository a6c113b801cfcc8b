import type { Keyword } from '../../../src/core/keyword.ts'
import { monthNumber } from '../../../src/lib/lexicon/calendar-forms.ts'
import { readNumber } from '../../../src/lib/read-number.ts'
import type { QuestionWord } from './question-words.ts'

const LONGEST_NUMBER = 6

/** Of what was written otherwise, a little less is sure. */
const WEIGHT = 0.97

/** Numbers as digits, where the question writes them otherwise: in words, with thousands commas, as `2k`. */
export const findNumbers = (words: readonly QuestionWord[]): readonly Keyword[] => {
  const found: Keyword[] = []
  for (let start = 0; start < words.length; start++) {
    for (let end = Math.min(words.length, start + LONGEST_NUMBER); end > start; end--) {
      const said = saying(words, start, end)
      const number = readNumber(said)
      if (number === null) continue
      if (String(number) !== said)
        found.push({ text: String(number), said, source: 'number', weight: WEIGHT })
      start = end - 1
      break
    }
  }
  return found
}

const day = /^(\d{1,2})(?:st|nd|rd|th)?$/
const year = /^[12]\d{3}$/

/** Days and months with a year as ISO text, the way databases keep them: `5 May 2020`, `May 5th, 2020`, `May 2020`. */
export const findDates = (words: readonly QuestionWord[]): readonly Keyword[] =>
  words.flatMap((word, at) => {
    const month = monthNumber(word.text)
    if (month === null) return []
    const [before, after, next] = [words[at - 1]?.text, words[at + 1]?.text, words[at + 2]?.text]
    const dayAfter = day.exec(after ?? '')?.[1]
    const dayBefore = day.exec(before ?? '')?.[1]
    if (dayAfter && year.test(next ?? '')) return [iso(words, [at, at + 3], [next, month, dayAfter])]
    if (dayBefore && year.test(after ?? '')) return [iso(words, [at - 1, at + 2], [after, month, dayBefore])]
    return year.test(after ?? '') ? [iso(words, [at, at + 2], [after, month])] : []
  })

const iso = (
  words: readonly QuestionWord[],
  [start, end]: readonly [number, number],
  parts: readonly (string | number | undefined)[],
): Keyword => ({
  text: parts.map(part => String(part).padStart(2, '0')).join('-'),
  said: saying(words, start, end),
  source: 'date',
  weight: WEIGHT,
})

const saying = (words: readonly QuestionWord[], start: number, end: number): string =>
  words
    .slice(start, end)
    .map(word => word.text)
    .join(' ')
