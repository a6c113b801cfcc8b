import type { Catalog } from '../../core/catalog.ts'
import { foldText } from '../../lib/fold-text.ts'
import { abbreviations } from '../../lib/lexicon/abbreviations.ts'
import { areRelated } from '../../lib/lexicon/related-words.ts'
import { stemWord } from '../../lib/stem-word.ts'
import { makeSplitCatalogName } from './catalog-words.ts'

/** Stems of a name, short forms spelled out. */
export const stemsOfName = (name: string, catalog: Catalog): readonly string[] =>
  makeSplitCatalogName(catalog)(name).flatMap(word =>
    [word, ...(abbreviations.get(word) ?? [])].map(stemWord),
  )

/** Stems of any text. */
export const stemsOfText = (text: string): readonly string[] =>
  (foldText(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map(stemWord)

/** How well a word of the question meets one of several stems: 1 for the same, less for a synonym or a shared beginning. */
export const stemSimilarity = (stem: string, stems: Iterable<string>): number => {
  let best = 0
  for (const other of stems) {
    if (stem === other) return 1
    if (areRelated(stem, other)) best = Math.max(best, RELATED)
    else if (shareBeginning(stem, other)) best = Math.max(best, ALIKE)
  }
  return best
}

const RELATED = 0.6
const ALIKE = 0.7

/** `nation` and `nationality`; short words meet by accident. */
const shareBeginning = (a: string, b: string): boolean => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 5 && long.startsWith(short)
}
