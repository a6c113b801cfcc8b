import { distance } from 'fastest-levenshtein'
import { foldText } from '../../lib/fold-text.ts'
import { toSingular } from '../../lib/stem-word.ts'
import { initialsOf, isAbbreviationOf, isInitials, keyOfWords, splitWords } from './matching-key.ts'

/** A text prepared for comparing. */
interface PreparedText {
  readonly text: string
  readonly folded: string
  readonly words: readonly string[]
  /** The words joined by single spaces. */
  readonly joined: string
  readonly singulars: readonly string[]
  /** See `matchingKey`. */
  readonly key: string
}

export const prepareText = (text: string): PreparedText => {
  const folded = foldText(text)
  const words = splitWords(folded)
  return {
    text,
    folded,
    words,
    joined: words.join(' '),
    singulars: words.map(toSingular),
    key: keyOfWords(words, folded),
  }
}

/** Texts of one or two characters are codes (`F`, `US`): similarity means nothing between them. */
export const isShort = (folded: string): boolean => folded.length <= 2

/** Words less similar than this do not match. */
const leastAlike = 0.55

/**
 * How well a value matches a keyword, from 0 to 1. The ranges keep the order that people expect: 1 the same text; .99
 * other case or accents; .97 other punctuation; .95 singular and plural; .93 other word order; .94 numbers in words;
 * .80 to .92 the value has every word of the keyword; .80 to .84 some words are abbreviated; .78 one is the other's
 * initials in capitals (.55 in small letters); .60 to .79 the keyword has every word of the value; below .79 similar
 * spelling, by edit distance over the whole and word by word.
 */
export const scoreMatch = (keyword: PreparedText, value: PreparedText): number => {
  if (keyword.text === value.text) return 1
  if (keyword.folded === value.folded) return 0.99
  const byInitials = scoreInitials(keyword, value) || scoreInitials(value, keyword)
  if (byInitials > 0) return byInitials
  if (isShort(keyword.folded) || isShort(value.folded)) return 0
  if (keyword.words.length === 0 || value.words.length === 0) return 0
  if (keyword.joined === value.joined) return 0.97
  if (keyword.key === value.key) return keyword.singulars.join(' ') === value.key ? 0.95 : 0.94
  const pairing = pairWords(keyword, value)
  if (pairing.sameKeyword === 1 && pairing.sameValue === 1)
    return keyword.singulars.join(' ') === value.singulars.join(' ') ? 0.95 : 0.93
  if (pairing.sameKeyword === 1) return 0.8 + 0.12 * pairing.sameValue
  if (pairing.isShortened) return pairing.sameKeyword > 0.3 ? 0.78 + 0.06 * pairing.sameKeyword : 0.5
  if (pairing.sameValue === 1) return 0.6 + 0.19 * pairing.sameKeyword
  if (isNumeric(keyword) || isNumeric(value)) return 0
  const longer = Math.max(keyword.joined.length, value.joined.length)
  const whole = 1 - distance(keyword.joined, value.joined) / longer
  const { alikeKeyword, alikeValue } = pairing
  const words =
    alikeKeyword + alikeValue === 0 ? 0 : (2 * alikeKeyword * alikeValue) / (alikeKeyword + alikeValue)
  return 0.79 * Math.max(whole, words)
}

/** Scores `short` as the initials of the other. In small letters it is more likely a word. */
const scoreInitials = (short: PreparedText, long: PreparedText): number => {
  if (!isInitials(short.words) || !initialsOf(long.words).includes(short.words[0]!)) return 0
  if (short.text === short.text.toUpperCase()) return 0.78
  return short.words[0]!.length > 2 ? 0.55 : 0
}

/** A wrong digit makes another number, not a typo. */
const isNumeric = (text: PreparedText): boolean => text.words.every(word => /^\d+$/.test(word))

/** The share of each side, by length, that matches words of the other side: exactly, and by similar spelling. */
interface Pairing {
  readonly sameKeyword: number
  readonly sameValue: number
  readonly alikeKeyword: number
  readonly alikeValue: number
  /** Whether every word of either side has a match, in order, and some are abbreviated. */
  readonly isShortened: boolean
}

const pairWords = (keyword: PreparedText, value: PreparedText): Pairing => {
  const free = value.singulars.map((_, index) => index)
  const left: number[] = []
  let same = 0
  let sameInValue = 0
  keyword.singulars.forEach((singular, index) => {
    const at = free.findIndex(other => value.singulars[other] === singular)
    if (at < 0) {
      left.push(index)
      return
    }
    same += keyword.words[index]!.length
    sameInValue += value.words[free[at]!]!.length
    free.splice(at, 1)
  })
  let alike = same
  let alikeInValue = sameInValue
  for (const index of left) {
    const word = keyword.words[index]!
    let best = leastAlike
    let bestAt = -1
    free.forEach((other, at) => {
      const candidate = value.words[other]!
      const longer = Math.max(word.length, candidate.length)
      if (Math.min(word.length, candidate.length) / longer <= best) return
      const alikeness = 1 - distance(word, candidate) / longer
      if (alikeness > best) {
        best = alikeness
        bestAt = at
      }
    })
    if (bestAt < 0) continue
    alike += word.length * best
    alikeInValue += value.words[free[bestAt]!]!.length * best
    free.splice(bestAt, 1)
  }
  const keywordLength = lettersOf(keyword.words)
  const valueLength = lettersOf(value.words)
  return {
    sameKeyword: same / keywordLength,
    sameValue: sameInValue / valueLength,
    alikeKeyword: alike / keywordLength,
    alikeValue: alikeInValue / valueLength,
    isShortened: isShortened(keyword.singulars, value.singulars),
  }
}

const isShortened = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length &&
  a.every((word, at) => {
    const other = b[at]!
    return word === other || isAbbreviationOf(word, other) || isAbbreviationOf(other, word)
  })

const lettersOf = (words: readonly string[]): number => words.reduce((sum, word) => sum + word.length, 0)
