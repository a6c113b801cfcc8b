import type { Keyword } from '../../../src/domain/question-context.ts'
import { foldText } from '../../../src/lib/fold-text.ts'
import { regionForms, subdivisionCodes } from '../../../src/lib/lexicon/regions.ts'
import { calendarForm, codeValues, monthNumber } from '../../../src/lib/lexicon/value-forms.ts'
import { parseNumber } from '../../../src/lib/parse-number.ts'
import { toSingular } from '../../../src/lib/stem-word.ts'

/** Spans of a question that are looked up: a lookup in a million values takes milliseconds. */
const MOST_SPANS = 240

/** Words of a question that are read. If someone pastes a document, the question is at its beginning. */
const MOST_WORDS = 200

/**
 * Keywords of a question without any model (CHASE-SQL 3.2 asks a model for them): what stands in quotes, capitalized
 * runs, numbers and dates in the way databases write them, every run of up to six words that neither begins nor ends
 * with a function word, and other forms of all these. The more telling ones come first.
 */
export const extractKeywords = (text: string): readonly Keyword[] => {
  const words = questionWords(text).slice(0, MOST_WORDS)
  const spans = [...quotedSpans(text), ...capitalizedSpans(words), ...wordSpans(words, MOST_SPANS)]
  return mergeKeywords([...spans, ...findNumbers(words), ...findDates(words), ...findForms(spans)])
}

/** Each text once, as the first that brought it, unless a later one weighs more. */
export const mergeKeywords = (keywords: readonly Keyword[]): readonly Keyword[] => {
  const merged = new Map<string, Keyword>()
  for (const keyword of keywords) {
    const known = merged.get(keyword.text)
    if (!known || keyword.weight > known.weight) merged.set(keyword.text, keyword)
  }
  return [...merged.values()]
}

/** Spans of at most this many words are looked up, fewer if a question is long. */
const LONGEST_SPAN = 6

const LONGEST_NAME = 10

/** Small words that names have inside. */
const insideNames = /^(?:of|the|and|de|du|des|la|le|les|van|von|der|den|del|di|da|for|in|on|to|a|an|at|&)$/i

/** Text in quotes of any kind; a single quote inside a word is an apostrophe. */
const quotedSpans = (text: string): readonly Keyword[] =>
  [
    ...text.matchAll(
      /"([^"]+)"|“([^”]+)”|«([^»]+)»|``([^`']+)''|`([^`]+)`|(?<![\p{L}\p{N}])['‘]([^'’]+)['’](?![\p{L}\p{N}])/gu,
    ),
  ].flatMap(match => keywordOf(match.slice(1).find(part => part !== undefined) ?? '', 'quoted'))

/** Runs of capitalized words, with the small words that names have inside: `The Lord of the Rings`. */
const capitalizedSpans = (words: readonly QuestionWord[]): readonly Keyword[] => {
  const spans: Keyword[] = []
  for (let start = 0; start < words.length; start++) {
    if (!isCapital(words[start]?.text ?? '') || isCapital(previous(words, start))) continue
    let end = start
    for (let at = start; at < Math.min(words.length, start + LONGEST_NAME); at++) {
      const word = words[at]
      if (!word || !(isCapital(word.text) || /^\d/.test(word.text) || insideNames.test(word.text))) break
      if (!insideNames.test(word.text) || isCapital(word.text)) end = at + 1
      if (word.closes) break
    }
    if (end - start > 1 || words[start]?.mayBound) spans.push(...span(words, start, end, 'capitalised'))
    // The first word of a sentence is capitalized whether or not it belongs to the name.
    if (words[start]?.opens) spans.push(...span(words, start + 1, end, 'capitalised'))
  }
  return spans
}

const previous = (words: readonly QuestionWord[], at: number): string =>
  words[at - 1]?.closes === false && !words[at - 1]?.opens ? (words[at - 1]?.text ?? '') : ''

/**
 * Every run of words that begins and ends with one that means something, longest first, then the parts of
 * words with a hyphen (`all-female`); at most about `most`.
 */
const wordSpans = (words: readonly QuestionWord[], most: number): readonly Keyword[] => {
  const longest = Math.max(
    1,
    Math.min(LONGEST_SPAN, words.length, Math.floor(most / Math.max(1, words.length))),
  )
  const spans: Keyword[] = []
  for (let length = longest; length > 0; length--) {
    for (let start = 0; start + length <= words.length; start++) {
      if (words[start]?.mayBound && words[start + length - 1]?.mayBound)
        spans.push(...span(words, start, start + length, 'span'))
    }
  }
  for (const { text } of words) {
    const parts = text.split(/[-/]/)
    if (parts.length > 1 && spans.length < most)
      spans.push(...parts.filter(part => part.length > 2).flatMap(part => keywordOf(part, 'span')))
  }
  return spans
}

const span = (
  words: readonly QuestionWord[],
  start: number,
  end: number,
  source: 'capitalised' | 'span',
): readonly Keyword[] => {
  const text = words
    .slice(start, end)
    .map(word => word.text)
    .join(' ')
  // `the king's castle` is looked up as it stands, the king's alone without what makes it his.
  return keywordOf(text.replace(/['’]s$|(?<=s)['’]$/u, ''), source)
}

const keywordOf = (text: string, source: Keyword['source']): readonly Keyword[] => {
  const trimmed = text.trim()
  return trimmed === '' ? [] : [{ text: trimmed, said: trimmed, source, weight: 1 }]
}

const LONGEST_NUMBER = 6

/** Of what was written otherwise, a little less is sure. */
const NUMBER_WEIGHT = 0.97

/** Numbers in digits where the question writes them otherwise: in words, with thousands commas, as `2k`. */
const findNumbers = (words: readonly QuestionWord[]): readonly Keyword[] => {
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
const findDates = (words: readonly QuestionWord[]): readonly Keyword[] =>
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

const FORM_WEIGHT = 0.9

const codeOfSubdivision: ReadonlyMap<string, string> = new Map(
  [...subdivisionCodes].map(([code, name]) => [foldText(name), code]),
)

/**
 * Other forms in which databases hold what a span says: countries by their people and codes, states by their postal
 * codes, months and days by their short names, and what is kept as a letter (`female`: F).
 */
const findForms = (spans: readonly Keyword[]): readonly Keyword[] =>
  spans.flatMap(({ text }) => {
    const folded = foldText(text)
    const singular = toSingular(folded)
    const subdivision = subdivisionCodes.get(text) ?? codeOfSubdivision.get(folded)
    const calendar = calendarForm(text)
    const forms = [
      ...regionForms(text),
      ...(singular === folded ? [] : regionForms(singular)),
      ...(subdivision === undefined ? [] : [subdivision]),
      ...(calendar === null ? [] : [calendar]),
    ].map((form): Keyword => ({ text: form, said: text, source: 'form', weight: FORM_WEIGHT }))
    const codes = (codeValues.get(folded) ?? codeValues.get(singular) ?? [])
      .filter(code => code !== folded)
      .map((code): Keyword => ({ text: code, said: text, source: 'code', weight: FORM_WEIGHT }))
    return [...forms, ...codes]
  })

/** Words that carry no value of a database by themselves. A span may contain them, but not begin or end with one. */
export const functionWords: ReadonlySet<string> = new Set(
  `a an the of in on at by for from to with and or not no is are was were be been do does did has have had how what
  which who whom whose when where why many much there their its it that this these those all any each every me my we our you your they them he she i
  show list give find tell get display return count number total average than more less most least`.split(
    /\s+/,
  ),
)

/** A word of a question without the marks around it. */
interface QuestionWord {
  readonly text: string
  /** True for the first word of a sentence, which is always capitalized. */
  readonly opens: boolean
  /** True if a mark separates the word from the next one: no name spans it. */
  readonly closes: boolean
  /** True if a value may begin or end with it. */
  readonly mayBound: boolean
}

const edge = /^[^\p{L}\p{N}$€£#+-]+|[^\p{L}\p{N}%+]+$/gu

/** The words of a question in order. `No`, `A` and the like, capitalized within a sentence, are as good as others. */
export const questionWords = (text: string): readonly QuestionWord[] => {
  const words: QuestionWord[] = []
  let opens = true
  for (const [written] of text.matchAll(/[^\s()[\]{}"“”,;]+[,;]?/gu)) {
    const word = written.replace(edge, '')
    if (word !== '') {
      const isMarked = isCapital(word) && (!opens || /^\p{Lu}{2,}$/u.test(word))
      const mayBound = isMarked || !functionWords.has(foldText(word))
      words.push({ text: word, opens, closes: /[.!?:;]$/.test(written), mayBound })
    }
    opens = /[.!?:]["'”’]?$/.test(written)
  }
  return words
}

/** Whether a word begins with a capital letter. */
const isCapital = (word: string): boolean => /^\p{Lu}/u.test(word)
