import { abbreviations } from './abbreviations.ts'
import { synonymGroups } from './synonym-groups.ts'

/** Words that names of tables and columns run together everywhere. */
const generalWords: ReadonlySet<string> = new Set([
  ...synonymGroups.flat(),
  ...abbreviations.keys(),
  ...'id code name number date type first last home high short long full main other total'.split(' '),
])

const minPartLength = 3

/**
 * Longest-first cut of a folded word that runs together (`pettype`: pet, type), where all parts are words of
 * `vocabulary` or of general English; null when it is a word by itself or cannot be cut.
 */
export const splitCompound = (word: string, vocabulary: ReadonlySet<string>): readonly string[] | null => {
  if (word.length < 5 || generalWords.has(word) || !/^[a-z]+$/.test(word)) return null
  const known = (part: string): boolean =>
    part === 'id' || part === 'no'
      ? true
      : part.length >= minPartLength && (vocabulary.has(part) || generalWords.has(part))
  const cut = (rest: string, first: boolean): readonly string[] | null => {
    if (rest === '') return []
    for (let length = first ? rest.length - 1 : rest.length; length >= 2; length--) {
      const part = rest.slice(0, length)
      if (!known(part) || (first && length < minPartLength)) continue
      const others = cut(rest.slice(length), false)
      if (others) return [part, ...others]
    }
    return null
  }
  return cut(word, true)
}
