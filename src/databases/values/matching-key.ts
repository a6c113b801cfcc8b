import { toSingular } from '../../lib/to-singular.ts'
import { initialsOf } from './initials.ts'
import { numberWordsToDigits } from './number-words.ts'
import { splitWords } from './split-words.ts'

/**
 * What texts have in common that mean the same word for word: case, accents, punctuation and English plurals are
 * gone, and numbers are digits. Text without any letter or digit is its own key. Takes folded text.
 */
export const matchingKey = (folded: string): string => keyOfWords(splitWords(folded), folded)

/** The same, with the keys under which first letters find the text. */
export const matchingKeys = (folded: string): readonly string[] => {
  const words = splitWords(folded)
  const initials = initialsOf(words)
  const key = keyOfWords(words, folded)
  return initials.length === 0 ? [key] : [key, ...initials.map(initialsKey)]
}

/** The key of first letters. It is never that of a text with words, which has no such mark. */
export const initialsKey = (initials: string): string => `^${initials}`

/** The key of the words of a folded text. */
export const keyOfWords = (words: readonly string[], folded: string): string =>
  words.length === 0 ? folded : numberWordsToDigits(words).map(toSingular).join(' ')

/** 32-bit hash of a key (FNV-1a over UTF-16 units). Equal keys are verified by whoever looks them up. */
export const hashKey = (key: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
