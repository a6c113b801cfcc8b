import { toSingular } from '../../lib/stem-word.ts'
import { letterCode } from './trigrams.ts'
import { textLimit } from './value-index-data.ts'

/**
 * The key that texts share if they have the same words: case, accents, punctuation and English plurals are removed,
 * and numbers are digits. Text without a letter or digit is its own key. Takes folded text.
 */
export const matchingKey = (folded: string): string => keyOfWords(splitWords(folded), folded)

/** The key of initials. It cannot be the key of a text, because of its mark. */
export const initialsKey = (initials: string): string => `^${initials}`

/** The key of the words of a folded text. */
export const keyOfWords = (words: readonly string[], folded: string): string =>
  words.length === 0 ? folded : numberWordsToDigits(words).map(toSingular).join(' ')

/** 32-bit hash (FNV-1a over UTF-16 units, mixed so that each of its bits tells texts apart). */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}

/** 29-bit hash of a key. The caller compares the keys themselves. */
const hashKey = (key: string): number => hashText(key) >>> 3

const ones = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen'

const teens = 'sixteen seventeen eighteen nineteen'

const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'

const small = new Map<string, number>([
  ...`${ones} ${teens}`.split(' ').map((word, value) => [word, value] as const),
  ...tens.split(' ').map((word, index) => [word, (index + 2) * 10] as const),
])

const scales = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
])

/**
 * Writes English number words as digits: `forty two` gives `42`, `three hundred and five` gives `305`. Words that do
 * not form one number together (`twenty twenty`) stay.
 */
export const numberWordsToDigits = (words: readonly string[]): readonly string[] => {
  if (!words.some(word => small.has(word))) return words
  const written: string[] = []
  for (let at = 0; at < words.length; ) {
    const number = readNumberWords(words, at)
    if (number === null) written.push(words[at++]!)
    else {
      written.push(String(number.value))
      at = number.end
    }
  }
  return written
}

const readNumberWords = (words: readonly string[], start: number): { value: number; end: number } | null => {
  if (!small.has(words[start]!)) return null
  let whole = 0
  let part = 0
  let room = 100
  let at = start
  for (; at < words.length; at++) {
    const word = words[at]!
    const value = small.get(word)
    const scale = scales.get(word)
    if (value !== undefined) {
      // Only a smaller number continues the one before it: `forty two`, but not `two forty`.
      if (value >= room) break
      part += value
      room = value >= 20 ? 10 : 0
    } else if (scale === 100 && part > 0 && part < 10) {
      part *= 100
      room = 100
    } else if (scale !== undefined && scale > 100 && part > 0) {
      whole += part * scale
      part = 0
      room = 100
    } else if (!(word === 'and' && room === 100 && at > start && isSmall(words[at + 1]))) break
  }
  return { value: whole + part, end: at }
}

const isSmall = (word: string | undefined): boolean => word !== undefined && small.has(word)

/** Words that abbreviations may pass over. */
const skippedWords = new Set([
  'of',
  'the',
  'and',
  'for',
  'in',
  'on',
  'at',
  'de',
  'la',
  'le',
  'du',
  'des',
  'der',
  'und',
  'y',
])

const fewestWords = 2

const mostWords = 6

/** A word that can be the initials of others. */
const canAbbreviate = /^\p{L}{2,6}$/u

/**
 * The initials of words: `new york city` gives `nyc`, `united states of america` gives `usa` and `usoa`. None for a
 * single word, for many words, or if one begins with a digit.
 */
export const initialsOf = (words: readonly string[]): readonly string[] => {
  if (words.length < fewestWords || words.length > mostWords) return []
  let all = ''
  let telling = ''
  for (const word of words) {
    const first = word[0]!
    if (first >= '0' && first <= '9') return []
    all += first
    if (!skippedWords.has(word)) telling += first
  }
  return telling.length < fewestWords || telling === all ? [all] : [telling, all]
}

/** Whether words may be the initials of others. */
export const isInitials = (words: readonly string[]): boolean =>
  words.length === 1 && canAbbreviate.test(words[0]!)

/**
 * Whether a word abbreviates another: its first letter (`J.` for `John`), its beginning (`Univ.`), or its beginning
 * and letters up to its last (`Intl`, `Dept`, `St.` for `Saint`). Both are folded.
 */
export const isAbbreviationOf = (short: string, long: string): boolean => {
  if (long.length < short.length + 2 || short[0] !== long[0] || /\d/.test(short)) return false
  if (short.length === 1 || long.startsWith(short)) return true
  if (short.at(-1) !== long.at(-1) || /[aeiou]/.test(short.slice(-1))) return false
  let at = 0
  for (const letter of long) if (letter === short[at]) at += 1
  return at === short.length
}

/**
 * The words of folded text for comparing: like `splitTokens`, but consecutive single letters are one word (`U.S.A.`
 * and `USA`), and a number is not cut at its thousands (`1,000` and `1000`).
 */
export const splitWords = (folded: string): string[] => {
  const tokens = splitTokens(folded.includes(',') ? folded.replace(thousands, '') : folded)
  return hasLettersAlone(tokens) ? joinLetters(tokens) : tokens
}

/** A comma between groups of three digits. */
const thousands = /(?<=\d),(?=\d{3}(?!\d))/g

const isLetter = (token: string): boolean => token.length === 1 && (token < '0' || token > '9')

const hasLettersAlone = (tokens: readonly string[]): boolean => {
  for (let at = 1; at < tokens.length; at++)
    if (isLetter(tokens[at]!) && isLetter(tokens[at - 1]!)) return true
  return false
}

const joinLetters = (tokens: readonly string[]): string[] => {
  const words: string[] = []
  tokens.forEach((token, at) => {
    if (at > 0 && isLetter(token) && isLetter(tokens[at - 1]!)) words[words.length - 1] += token
    else words.push(token)
  })
  return words
}

/** The words of folded text: runs of letters and digits, in order. Punctuation separates and is dropped. */
const splitTokens = (folded: string): string[] => {
  const tokens: string[] = []
  let start = -1
  for (let at = 0; at < folded.length; at++) {
    if (letterCode(folded.charCodeAt(at)) !== 0) {
      if (start < 0) start = at
    } else if (start >= 0) {
      tokens.push(folded.slice(start, at))
      start = -1
    }
  }
  if (start >= 0) tokens.push(start === 0 ? folded : folded.slice(start))
  return tokens
}

/** At most this many texts are compared per key; more would only be other cases of one word. */
const maxTextsPerKey = 64

/**
 * Makes the lookup of texts by matching key. It goes by hash, so the caller compares the texts themselves. `keys` are
 * sorted (see `ValueIndexData`).
 */
export const makeFindByKey =
  (keys: Float64Array) =>
  (key: string, most = maxTextsPerKey): readonly number[] => {
    const first = hashKey(key) * textLimit
    const texts: number[] = []
    for (let at = findKey(keys, first); at < keys.length && texts.length < most; at++) {
      if (keys[at]! >= first + textLimit) break
      texts.push(keys[at]! - first)
    }
    return texts
  }

/** Gathers the entries of `ValueIndexData.keys`, text by text. */
export const makeKeyList = (
  texts: number,
): {
  /** Adds the keys of a folded text: its own, and those of its initials. */
  readonly add: (folded: string, text: number) => void
  readonly sorted: () => Float64Array<ArrayBuffer>
} => {
  let keys = new Float64Array(texts + 8)
  let count = 0
  const abbreviated = new Map<number, number>()
  const push = (hash: number, text: number): void => {
    if (count === keys.length) {
      const larger = new Float64Array(Math.ceil(count * 1.5))
      larger.set(keys)
      keys = larger
    }
    keys[count++] = hash * textLimit + text
  }
  return {
    add: (folded, text) => {
      const words = splitWords(folded)
      push(hashKey(keyOfWords(words, folded)), text)
      for (const initials of initialsOf(words)) {
        const hash = hashKey(initialsKey(initials))
        const before = abbreviated.get(hash) ?? 0
        // A lookup reads no more of them.
        if (before >= maxTextsPerKey) continue
        abbreviated.set(hash, before + 1)
        push(hash, text)
      }
    },
    sorted: () => keys.slice(0, count).sort(),
  }
}

/** The position of the first entry of a key's hash, or where it would be. */
const findKey = (keys: Float64Array, first: number): number => {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (keys[middle]! < first) low = middle + 1
    else high = middle
  }
  return low
}

/** Merges two sorted lists. */
export const mergeKeys = (a: Float64Array, b: Float64Array): Float64Array => {
  const merged = new Float64Array(a.length + b.length)
  for (let at = 0, left = 0, right = 0; at < merged.length; at++)
    merged[at] = right === b.length || (left < a.length && a[left]! < b[right]!) ? a[left++]! : b[right++]!
  return merged
}
