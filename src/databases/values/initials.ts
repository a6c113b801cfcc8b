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

/** What a word has to be to stand for others by their first letters. */
const canAbbreviate = /^\p{L}{2,6}$/u

/**
 * What words are called by their first letters: `new york city` gives `nyc`, `united states of america` gives `usa`
 * and `usoa`. None for a single word, for many, and for such as begin with a digit.
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

/** Whether words may be the first letters of others. */
export const isInitials = (words: readonly string[]): boolean =>
  words.length === 1 && canAbbreviate.test(words[0]!)

/**
 * Whether a word is a shorter way to write another: its first letter (`J.` for `John`), its beginning (`Univ.`), or
 * its beginning and letters up to its last (`Intl`, `Dept`, `St.` for `Saint`). Both are folded.
 */
export const isAbbreviationOf = (short: string, long: string): boolean => {
  if (long.length < short.length + 2 || short[0] !== long[0] || /\d/.test(short)) return false
  if (short.length === 1 || long.startsWith(short)) return true
  if (short.at(-1) !== long.at(-1) || /[aeiou]/.test(short.slice(-1))) return false
  let at = 0
  for (const letter of long) if (letter === short[at]) at += 1
  return at === short.length
}
