import { splitName } from '../../lib/split-name.ts'
import { abbreviations } from '../lexicon/abbreviations.ts'
import { synonymGroups } from '../lexicon/synonym-groups.ts'
import { stemWord } from '../tokenise/stem-word.ts'
import type { NameWord } from './schema-index.ts'

/** Words that qualify rather than name: leaving them out of a question is common. */
const qualifiers = new Set(
  'id code name number text value date type the of in for and to by is no title detail description'
    .split(' ')
    .map(stemWord),
)

const generalWords: ReadonlySet<string> = new Set([
  ...synonymGroups.flat(),
  ...abbreviations.keys(),
  ...'id code name number date type first last home high short long full main other total'.split(' '),
])

/**
 * The words of a table's or column's name, with short forms spelled out and names that run together taken apart where
 * all parts are words of the catalog or of general English (`pettype`: pet, type).
 */
export const nameWords = (name: string, vocabulary: ReadonlySet<string>): readonly NameWord[] =>
  splitName(name).flatMap(word => {
    const long = abbreviations.get(word)
    const parts = long ? null : takeApart(word, vocabulary)
    if (parts) return parts.flatMap(part => spelledOut(part))
    return spelledOut(word)
  })

const spelledOut = (word: string): readonly NameWord[] => {
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

const SHORTEST_PART = 3

/** Longest-first cut of a word that runs together; null when it is a word by itself or cannot be cut. */
const takeApart = (word: string, vocabulary: ReadonlySet<string>): readonly string[] | null => {
  if (word.length < 5 || generalWords.has(word) || !/^[a-z]+$/.test(word)) return null
  const known = (part: string): boolean =>
    part === 'id' || part === 'no'
      ? true
      : part.length >= SHORTEST_PART && (vocabulary.has(part) || generalWords.has(part))
  const cut = (rest: string, first: boolean): readonly string[] | null => {
    if (rest === '') return []
    for (let length = first ? rest.length - 1 : rest.length; length >= 2; length--) {
      const part = rest.slice(0, length)
      if (!known(part) || (first && length < SHORTEST_PART)) continue
      const others = cut(rest.slice(length), false)
      if (others) return [part, ...others]
    }
    return null
  }
  return cut(word, true)
}
