import { stemmer } from 'stemmer'
import { toSingular } from './to-singular.ts'

const known = new Map<string, string>()
const MOST_KNOWN = 20_000

/** Singular, then Porter's stem, of a folded word. Remembered: schemas repeat their words, and so do people. */
export const stemWord = (folded: string): string => {
  const remembered = known.get(folded)
  if (remembered !== undefined) return remembered
  const stem = /^[a-z]+$/.test(folded) ? stemmer(toSingular(folded)) : folded
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(folded, stem)
  return stem
}
