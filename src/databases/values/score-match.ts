import { distance } from 'fastest-levenshtein'
import { foldText } from '../../lib/fold-text.ts'
import { toSingular } from '../../lib/to-singular.ts'
import { splitTokens } from './split-tokens.ts'

/** A text made ready for comparing. */
export interface PreparedText {
  readonly text: string
  readonly folded: string
  readonly tokens: readonly string[]
  /** The tokens joined by single spaces. */
  readonly joined: string
  readonly singulars: readonly string[]
}

export const prepareText = (text: string): PreparedText => {
  const folded = foldText(text)
  const tokens = splitTokens(folded)
  return { text, folded, tokens, joined: tokens.join(' '), singulars: tokens.map(toSingular) }
}

/** Texts of one or two characters are codes (`F`, `US`): likeness means nothing between them. */
export const isShort = (folded: string): boolean => folded.length <= 2

/** Tokens less alike than this do not stand for each other. */
const leastAlike = 0.55

/**
 * How well a value answers to a keyword, from 0 to 1. The bands keep the order that people expect:
 * 1 the same text; .99 but for case and accents; .97 but for punctuation; .95 but for plurals; .93 other word order;
 * .80 to .92 the value holds every word of the keyword; .60 to .79 the keyword holds every word of the value;
 * below .79 spelled alike, by edit distance over the whole and word by word.
 */
export const scoreMatch = (keyword: PreparedText, value: PreparedText): number => {
  if (keyword.text === value.text) return 1
  if (keyword.folded === value.folded) return 0.99
  if (isShort(keyword.folded) || isShort(value.folded)) return 0
  if (keyword.tokens.length === 0 || value.tokens.length === 0) return 0
  if (keyword.joined === value.joined) return 0.97
  const pairing = pairTokens(keyword, value)
  if (pairing.sameKeyword === 1 && pairing.sameValue === 1)
    return keyword.singulars.join(' ') === value.singulars.join(' ') ? 0.95 : 0.93
  if (pairing.sameKeyword === 1) return 0.8 + 0.12 * pairing.sameValue
  if (pairing.sameValue === 1) return 0.6 + 0.19 * pairing.sameKeyword
  if (isNumeric(keyword) || isNumeric(value)) return 0
  const longer = Math.max(keyword.joined.length, value.joined.length)
  const whole = 1 - distance(keyword.joined, value.joined) / longer
  const { alikeKeyword, alikeValue } = pairing
  const words =
    alikeKeyword + alikeValue === 0 ? 0 : (2 * alikeKeyword * alikeValue) / (alikeKeyword + alikeValue)
  return 0.79 * Math.max(whole, words)
}

/** A wrong digit makes another number, not a misspelled one. */
const isNumeric = (text: PreparedText): boolean => text.tokens.every(token => /^\d+$/.test(token))

/** Shares, by length, of either side that the other side's words account for: word for word, and alike. */
interface Pairing {
  readonly sameKeyword: number
  readonly sameValue: number
  readonly alikeKeyword: number
  readonly alikeValue: number
}

const pairTokens = (keyword: PreparedText, value: PreparedText): Pairing => {
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
    same += keyword.tokens[index]!.length
    sameInValue += value.tokens[free[at]!]!.length
    free.splice(at, 1)
  })
  let alike = same
  let alikeInValue = sameInValue
  for (const index of left) {
    const token = keyword.tokens[index]!
    let best = leastAlike
    let bestAt = -1
    free.forEach((other, at) => {
      const candidate = value.tokens[other]!
      const longer = Math.max(token.length, candidate.length)
      if (Math.min(token.length, candidate.length) / longer <= best) return
      const alikeness = 1 - distance(token, candidate) / longer
      if (alikeness > best) {
        best = alikeness
        bestAt = at
      }
    })
    if (bestAt < 0) continue
    alike += token.length * best
    alikeInValue += value.tokens[free[bestAt]!]!.length * best
    free.splice(bestAt, 1)
  }
  const keywordLength = lettersOf(keyword.tokens)
  const valueLength = lettersOf(value.tokens)
  return {
    sameKeyword: same / keywordLength,
    sameValue: sameInValue / valueLength,
    alikeKeyword: alike / keywordLength,
    alikeValue: alikeInValue / valueLength,
  }
}

const lettersOf = (tokens: readonly string[]): number => tokens.reduce((sum, token) => sum + token.length, 0)
