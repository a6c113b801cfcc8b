import type { Keyword } from '../../../src/core/keyword.ts'
import { monthNumber } from '../../../src/lib/lexicon/calendar-forms.ts'
import { parseNumber } from '../../../src/lib/read-number.ts'
import type { QuestionWord } from './question-words.ts'

const LONGEST_NUMBER = 6

/** Of what was written otherwise, a little less is sure. */
const NUMBER_WEIGHT = 0.97

/** Numbers in digits where the question writes them otherwise: in words, with thousands commas, as `2k`. */
export const findNumbers = (words: readonly QuestionWord[]): readonly Keyword[] => {
  const found: Keyword[] = []
  for (let start = 0; start < words.length; start++) {
    for (let end = Math.min(words.length, start + LONGEST_NUMBER); end > start; end--) {
      const said = joinWords(words, start, end)
      const number = parseNumber(said)
      if (number === null) continue
      if (String(number) !== said)
        found.push({ text: String(number), said, source: 'number', weight: NUMBER_WEIGHT })
      start = end - 1
      break
    }
  }
  return found
}

const day = /^(\d{1,2})(?:st|nd|rd|th)?$/
const year = /^[12]\d{3}$/

/**
 * Days and months with a year in the ways that databases write them as texts: `5 May 2020`, `May 5th, 2020` as
 * 2020-05-05 and with the month or the day first, `May 2020` as 2020-05.
 */
export const findDates = (words: readonly QuestionWord[]): readonly Keyword[] =>
  words.flatMap((word, at) => {
    const month = monthNumber(word.text)
    if (month === null) return []
    const [before, after, next] = [
      words[at - 1]?.text ?? '',
      words[at + 1]?.text ?? '',
      words[at + 2]?.text ?? '',
    ]
    const dayAfter = day.exec(after)?.[1]
    const dayBefore = day.exec(before)?.[1]
    if (dayAfter && year.test(next)) return write(joinWords(words, at, at + 3), next, month, Number(dayAfter))
    if (dayBefore && year.test(after))
      return write(joinWords(words, at - 1, at + 2), after, month, Number(dayBefore))
    return year.test(after) ? write(joinWords(words, at, at + 2), after, month, null) : []
  })

const write = (said: string, year: string, month: number, day: number | null): readonly Keyword[] => {
  const isoMonth = `${year}-${twoDigits(month)}`
  const texts =
    day === null
      ? [isoMonth]
      : [`${isoMonth}-${twoDigits(day)}`, `${month}/${day}/${year}`, `${day}/${month}/${year}`]
  return texts.map(text => ({ text, said, source: 'date', weight: NUMBER_WEIGHT }))
}

const twoDigits = (number: number): string => String(number).padStart(2, '0')

const joinWords = (words: readonly QuestionWord[], start: number, end: number): string =>
  words
    .slice(start, end)
    .map(word => word.text)
    .join(' ')
