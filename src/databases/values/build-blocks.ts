import { collectTrigrams, trigramCodes } from './collect-trigrams.ts'
import { blockSize, type TrigramBlock } from './value-index-data.ts'

/** Trigrams past this many say nothing more about a text, and long texts would crowd the lists. */
export const maxTrigramsPerText = 128

/** Inverts texts (folded, in order) into blocks. `foldedAt` is called once for each text. */
export const buildTrigramBlocks = (
  count: number,
  foldedAt: (text: number) => string,
  onProgress?: (share: number) => void,
): TrigramBlock[] => {
  const lengths = new Uint32Array(trigramCodes)
  const ends = new Uint32Array(blockSize)
  let flat = new Uint32Array(Math.min(count, blockSize) * 32 + maxTrigramsPerText)
  const blocks: TrigramBlock[] = []

  for (let first = 0; first < count; first += blockSize) {
    const size = Math.min(blockSize, count - first)
    let total = 0
    for (let member = 0; member < size; member++) {
      if (flat.length < total + maxTrigramsPerText) flat = enlarge(flat)
      total += collectTrigrams(foldedAt(first + member), flat, total, maxTrigramsPerText)
      ends[member] = total
    }
    blocks.push(invert(flat.subarray(0, total), ends.subarray(0, size), lengths))
    onProgress?.((first + size) / count)
  }
  return blocks
}

/** Counting sort of (trigram, member) pairs by trigram. `lengths` is scratch and comes back zeroed. */
const invert = (flat: Uint32Array, ends: Uint32Array, lengths: Uint32Array): TrigramBlock => {
  for (const trigram of flat) lengths[trigram]! += 1
  let different = 0
  for (const length of lengths) if (length > 0) different += 1

  const trigrams = new Uint32Array(different)
  const starts = new Uint32Array(different + 1)
  const members = new Uint16Array(flat.length)
  const next = lengths
  for (let trigram = 0, index = 0, start = 0; trigram < trigramCodes; trigram++) {
    const length = lengths[trigram]!
    if (length === 0) continue
    trigrams[index] = trigram
    next[trigram] = start
    start += length
    index += 1
    starts[index] = start
  }
  for (let member = 0, at = 0; member < ends.length; member++) {
    for (; at < ends[member]!; at++) members[next[flat[at]!]!++] = member
  }
  lengths.fill(0)
  return { trigrams, starts, members }
}

const enlarge = (array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const larger = new Uint32Array(array.length * 2)
  larger.set(array)
  return larger
}
