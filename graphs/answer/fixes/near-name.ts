import { distance } from 'fastest-levenshtein'
import { splitName } from '../../../src/lib/split-name.ts'
import { toSingular } from '../../../src/lib/to-singular.ts'

/** The next best name must be this many letters further away, or the choice is a guess. */
const NAME_MARGIN = 2

/**
 * The one name that was meant: the same but for case, the same words (`glazeColours` for `glaze_colour`), or a
 * misspelling by a letter or two. Null when none is near, when two are, or when they differ by a number or a whole
 * word: neither `address_2` nor `address` is a misspelt `address_1`, and `section` is not `section_id`.
 */
export const nearestName = (wanted: string, names: readonly string[]): string | null => {
  const different = [...new Set(names)]
  return (
    onlyOne(different.filter(name => name.toLowerCase() === wanted.toLowerCase())) ??
    onlyOne(different.filter(name => wordsOf(name) === wordsOf(wanted))) ??
    misspelt(wanted, different)
  )
}

const onlyOne = (names: readonly string[]): string | null => (names.length === 1 ? (names[0] ?? null) : null)

const wordsOf = (name: string): string => splitName(name).map(toSingular).join('')

const misspelt = (wanted: string, names: readonly string[]): string | null => {
  const [best, second] = names
    .map(name => ({ name, far: distance(lettersOf(wanted), lettersOf(name)) }))
    .sort((a, b) => a.far - b.far)
  if (!best || best.far > typosIn(wanted) || digitsOf(best.name) !== digitsOf(wanted)) return null
  if (areWordsOf(best.name, wanted) || areWordsOf(wanted, best.name)) return null
  return second && second.far < best.far + NAME_MARGIN ? null : best.name
}

const areWordsOf = (name: string, other: string): boolean => {
  const words = splitName(other)
  return splitName(name).every(word => words.includes(word))
}

/** Letters that may be wrong in a word of this length: short names are near everything. */
const typosIn = (word: string): number => (word.length < 4 ? 0 : word.length < 7 ? 1 : 2)

const lettersOf = (name: string): string => splitName(name).join('')

const digitsOf = (text: string): string => text.replace(/\D+/g, ' ').trim()
