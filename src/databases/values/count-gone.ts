import { foldText } from '../../lib/fold-text.ts'
import { maxTrigramsPerText } from './build-blocks.ts'
import { collectTrigrams } from './collect-trigrams.ts'
import type { RemovedTexts } from './value-index-data.ts'

/** What a freshly built index has. */
export const noRemovedTexts: RemovedTexts = {
  texts: 0,
  trigrams: new Uint32Array(0),
  counts: new Uint32Array(0),
}

/** Counts the trigrams of texts that have no column any more. */
export const countRemovedTexts = (
  texts: readonly number[],
  textAt: (text: number) => string,
): RemovedTexts => {
  const counts = new Map<number, number>()
  const found = new Uint32Array(maxTrigramsPerText)
  for (const text of texts) {
    const count = collectTrigrams(foldText(textAt(text)), found, 0, maxTrigramsPerText)
    for (let at = 0; at < count; at++) counts.set(found[at]!, (counts.get(found[at]!) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([a], [b]) => a - b)
  return {
    texts: texts.length,
    trigrams: Uint32Array.from(sorted, ([trigram]) => trigram),
    counts: Uint32Array.from(sorted, ([, count]) => count),
  }
}
