import { distance } from 'fastest-levenshtein'
import { areRelated } from '../../lib/lexicon/related-words.ts'

/** How a word of the question and a word of a name are alike. */
export interface StemMatch {
  readonly stem: string
  readonly how: 'same' | 'related' | 'similar'
  readonly strength: number
}

const RELATED = 0.6
const SIMILAR = 0.55
const SHORTEST_PREFIX = 4
const SHORTEST_SHORT_FORM = 3
const SHORTEST_MISSPELLED = 6

/** The stems of a schema that a stem of the question may stand for, itself included. */
export const matchStems = (stem: string, schemaStems: readonly string[]): readonly StemMatch[] => {
  const found: StemMatch[] = []
  for (const other of schemaStems) {
    if (other === stem) found.push({ stem: other, how: 'same', strength: 1 })
    else if (areRelated(stem, other)) found.push({ stem: other, how: 'related', strength: RELATED })
    else if (areSimilar(stem, other)) found.push({ stem: other, how: 'similar', strength: SIMILAR })
  }
  return found
}

/** One is a short form of the other, both begin with most of their letters, or one slip of the pen lies between. */
const areSimilar = (a: string, b: string): boolean => {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a]
  if (!/^[a-z]+$/.test(short)) return false
  if (long.startsWith(short)) {
    return short.length >= SHORTEST_PREFIX || (short === b && short.length >= SHORTEST_SHORT_FORM)
  }
  let common = 0
  while (common < short.length && short[common] === long[common]) common++
  if (common >= 5 && common >= long.length - 3) return true
  return (
    common >= 1 &&
    short.length >= SHORTEST_MISSPELLED &&
    long.length - short.length <= 1 &&
    distance(a, b) === 1
  )
}
