import type { Keyword } from '../../../src/core/keyword.ts'
import { isCapital, type QuestionWord } from './question-words.ts'

/** Spans of this many words are looked up, fewer where a question is long. */
const LONGEST_SPAN = 6
const LONGEST_NAME = 10

/** Small words that names have inside. */
const insideNames = /^(?:of|the|and|de|du|des|la|le|les|van|von|der|den|del|di|da|for|in|on|to|a|an|at|&)$/i

/** What stands in quotes of any kind; a single quote inside a word is an apostrophe. */
export const quotedSpans = (text: string): readonly Keyword[] =>
  [
    ...text.matchAll(
      /"([^"]+)"|“([^”]+)”|«([^»]+)»|``([^`']+)''|`([^`]+)`|(?<![\p{L}\p{N}])['‘]([^'’]+)['’](?![\p{L}\p{N}])/gu,
    ),
  ].flatMap(match => keywordOf(match.slice(1).find(part => part !== undefined) ?? '', 'quoted'))

/** Runs of capitalised words, with the small words that names have inside: `The Lord of the Rings`. */
export const capitalizedSpans = (words: readonly QuestionWord[]): readonly Keyword[] => {
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
    // The first word of a sentence is capitalised whether or not it belongs to the name.
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
export const wordSpans = (words: readonly QuestionWord[], most: number): readonly Keyword[] => {
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
