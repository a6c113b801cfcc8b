import type { ValueIndexData } from './value-index-data.ts'

/** A trigram of a keyword and what sharing it is worth. */
export interface WeightedTrigram {
  readonly trigram: number
  readonly weight: number
}

/**
 * Weighs the trigrams of a keyword by rarity, log(1 + texts / texts that hold it), scaled so that together they make
 * `total`. Trigrams that no text holds say nothing about any text and are dropped. Rarest first.
 */
export const weightTrigrams = (
  { blocks, textEnds, gone }: Pick<ValueIndexData, 'blocks' | 'textEnds' | 'gone'>,
  trigrams: Uint32Array,
  total: number,
): readonly WeightedTrigram[] => {
  const rarities: { trigram: number; rarity: number }[] = []
  let sum = 0
  for (const trigram of trigrams) {
    let holders = 0
    for (const block of blocks) {
      const list = findTrigram(block.trigrams, trigram)
      if (list >= 0) holders += block.starts[list + 1]! - block.starts[list]!
    }
    const lost = findTrigram(gone.trigrams, trigram)
    if (lost >= 0) holders -= gone.counts[lost]!
    if (holders === 0) continue
    const rarity = Math.log1p((textEnds.length - gone.texts) / holders)
    rarities.push({ trigram, rarity })
    sum += rarity
  }
  return rarities
    .sort((a, b) => b.rarity - a.rarity || a.trigram - b.trigram)
    .map(({ trigram, rarity }) => ({ trigram, weight: Math.max(1, Math.floor((rarity / sum) * total)) }))
}

/** Where a trigram stands in a block's sorted list; -1 when no text of the block holds it. */
export const findTrigram = (sorted: Uint32Array, trigram: number): number => {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const here = sorted[middle]!
    if (here === trigram) return middle
    if (here < trigram) low = middle + 1
    else high = middle - 1
  }
  return -1
}
