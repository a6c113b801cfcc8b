import { toSingular } from '../../lib/to-singular.ts'
import { splitTokens } from './split-tokens.ts'

/**
 * What texts have in common that mean the same word for word: case, accents, punctuation and English plurals are
 * gone. Text without any letter or digit is its own key. Takes folded text.
 */
export const matchingKey = (folded: string): string => {
  const tokens = splitTokens(folded)
  return tokens.length === 0 ? folded : tokens.map(toSingular).join(' ')
}

/** 32-bit hash of a key (FNV-1a over UTF-16 units). Equal keys are verified by whoever looks them up. */
export const hashKey = (key: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
