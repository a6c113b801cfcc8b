import { findTrigram } from './trigrams.ts'
import type { ValueIndexData } from './value-index-data.ts'

/**
 * Where the lists of each trigram are, for all blocks at once: to search every block's trigrams for every trigram of
 * a keyword took more time than to read the lists.
 */
export interface ListDirectory {
  /** How many texts hold a trigram. */
  readonly holdersOf: (trigram: number) => number
  /** By block, the number of a trigram's list; -1 where none of the block's texts hold it. */
  readonly listsOf: (trigram: number) => Int32Array
}

/** Makes the directory. It reads every list head of every block once. */
export const makeListDirectory = ({
  blocks,
  gone,
}: Pick<ValueIndexData, 'blocks' | 'gone'>): ListDirectory => {
  const rows = new Map<number, number>()
  for (const { trigrams } of blocks)
    for (const trigram of trigrams) if (!rows.has(trigram)) rows.set(trigram, rows.size)
  const lists = new Int32Array(rows.size * blocks.length).fill(-1)
  const nowhere = new Int32Array(blocks.length).fill(-1)
  const holders = new Uint32Array(rows.size)
  blocks.forEach(({ trigrams, starts }, block) => {
    for (let list = 0; list < trigrams.length; list++) {
      const row = rows.get(trigrams[list]!)!
      lists[row * blocks.length + block] = list
      holders[row]! += starts[list + 1]! - starts[list]!
    }
  })
  return {
    holdersOf: trigram => {
      const row = rows.get(trigram)
      if (row === undefined) return 0
      const lost = findTrigram(gone.trigrams, trigram)
      return holders[row]! - (lost < 0 ? 0 : gone.counts[lost]!)
    },
    listsOf: trigram => {
      const row = rows.get(trigram)
      return row === undefined ? nowhere : lists.subarray(row * blocks.length, (row + 1) * blocks.length)
    },
  }
}
