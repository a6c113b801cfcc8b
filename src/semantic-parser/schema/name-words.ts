import { abbreviations } from '../../lib/lexicon/abbreviations.ts'
import { splitCompound } from '../../lib/lexicon/take-apart.ts'
import { splitName } from '../../lib/split-name.ts'
import { stemWord } from '../../lib/stem-word.ts'
import type { NameWord } from './schema-index.ts'

/** Words that qualify rather than name: leaving them out of a question is common. */
const qualifiers = new Set(
  'id code name number text value date type the of in for and to by is no title detail description'
    .split(' ')
    .map(stemWord),
)

/**
 * The words of a table's or column's name, with short forms spelled out and names that run together taken apart where
 * all parts are words of the catalog or of general English (`pettype`: pet, type).
 */
export const nameWords = (name: string, vocabulary: ReadonlySet<string>): readonly NameWord[] =>
  splitName(name).flatMap(word => {
    const long = abbreviations.get(word)
    const parts = long ? null : splitCompound(word, vocabulary)
    if (parts) return parts.flatMap(part => expandAbbreviations(part))
    return expandAbbreviations(word)
  })

const expandAbbreviations = (word: string): readonly NameWord[] => {
  const long = abbreviations.get(word)
  if (!long || long.length === 1) {
    const stems = long ? [stemWord(long[0] ?? word), stemWord(word)] : [stemWord(word)]
    return [{ stems: [...new Set(stems)], weight: weightOf(stems) }]
  }
  return long.map((part, index) => {
    const stems = index === 0 ? [stemWord(part), stemWord(word)] : [stemWord(part)]
    return { stems, weight: index === 0 ? weightOf(stems) : 0.4 }
  })
}

const weightOf = (stems: readonly string[]): number => (stems.some(stem => qualifiers.has(stem)) ? 0.5 : 1)
