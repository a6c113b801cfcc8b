import { distance } from 'fastest-levenshtein'
import { diceSimilarityTo } from '../../../src/lib/dice-with.ts'
import { splitName } from '../../../src/lib/split-name.ts'
import { stemWord } from '../../../src/lib/stem-word.ts'

/** Names of which one is all words of the other, or the beginning of it: `section` and `section_id`, `qty` and `qty_sold`. */
const PART = 0.75
/** Names that differ in a number are two of a series, not one that was renamed. */
const OTHER_NUMBER = 0.2

/** How alike two names of tables or columns are, from 0 to 1: by their words, by their letters, or as part and whole. */
export const nameSimilarity = (one: string, other: string): number => {
  const [words, others] = [wordsOf(one), wordsOf(other)]
  const [letters, otherLetters] = [words.join(''), others.join('')]
  if (letters === '' || otherLetters === '') return 0
  if (letters === otherLetters) return 1
  const longest = Math.max(letters.length, otherLetters.length)
  const isPart =
    (words.every(word => others.includes(word)) || others.every(word => words.includes(word))) &&
    Math.min(letters.length, otherLetters.length) > 1
  const likeness = Math.max(
    diceSimilarityTo(words)(others),
    1 - distance(letters, otherLetters) / longest,
    isPart || isBeginning(letters, otherLetters) ? PART : 0,
  )
  return digitsOf(one) === digitsOf(other) ? likeness : Math.min(likeness, OTHER_NUMBER)
}

const wordsOf = (name: string): readonly string[] => splitName(name).map(stemWord)

/** Two letters begin too many names. */
const isBeginning = (one: string, other: string): boolean =>
  Math.min(one.length, other.length) > 2 && (one.startsWith(other) || other.startsWith(one))

const digitsOf = (name: string): string => name.replace(/\D+/g, ' ').trim()
