import { stemmer } from 'stemmer'
import { toSingular } from './to-singular.ts'

const stemCache = new Map<string, string>()
const maxCachedStems = 20_000

/** Singular, then Porter's stem, of a folded word. Remembered: schemas repeat their words, and so do people. */
export const stemWord = (folded: string): string => {
  const remembered = stemCache.get(folded)
  if (remembered !== undefined) return remembered
  const stem = /^[a-z]+$/.test(folded) ? stemmer(toSingular(folded)) : folded
  if (stemCache.size >= maxCachedStems) stemCache.clear()
  stemCache.set(folded, stem)
  return stem
}
