import { foldText } from '../../lib/fold-text.ts'
import { buildKeys } from './matching-key.ts'
import { collectTrigrams, trigramCodes } from './trigrams.ts'
import { openValueIndex, type ValueIndex } from './value-index.ts'
import {
  blockSize,
  type IndexedColumn,
  packTexts,
  type RemovedTexts,
  type TrigramBlock,
  textLimit,
  type ValueIndexData,
} from './value-index-data.ts'

/** A column and its distinct values as text, the more important ones first. */
export interface ColumnValues extends IndexedColumn {
  readonly values: readonly string[]
}

/**
 * Builds the index over the values of many columns: an exact inverted index of the trigrams of their folded texts,
 * and a table of matching keys for texts that are spelled the same. Texts beyond the 2,097,151st are left out; the
 * caller's limits are far below that.
 */
export const buildValueIndex = (entries: readonly ColumnValues[]): ValueIndex =>
  openValueIndex(buildIndexData(entries))

/** Builds the arrays of the index. `onProgress` is called after each block with the share that is done. */
export const buildIndexData = (
  entries: readonly ColumnValues[],
  onProgress?: (share: number) => void,
): ValueIndexData => {
  const { texts, ...owned } = gatherTexts(entries)
  const folded = texts.map(foldText)
  return {
    columns: entries.map(({ table, column }) => ({ table, column })),
    ...packTexts(texts),
    ...owned,
    keys: buildKeys(folded),
    blocks: buildTrigramBlocks(texts.length, text => folded[text]!, onProgress),
    gone: noRemovedTexts,
  }
}

/** Distinct texts in the order of their first column, each with the columns that hold it. */
const gatherTexts = (entries: readonly ColumnValues[]) => {
  // The values of one column are distinct already; only a second column can repeat a text.
  const canRepeat = entries.length > 1
  const most = entries.reduce((sum, entry) => sum + entry.values.length, 0)
  const numbers = new Map<string, number>()
  const texts: string[] = []
  const pairs = { texts: new Uint32Array(most), columns: new Uint32Array(most), count: 0 }
  entries.forEach((entry, column) => {
    for (const value of entry.values) {
      let text = canRepeat ? numbers.get(value) : undefined
      if (text === undefined) {
        if (texts.length >= textLimit - 1) continue
        text = texts.length
        if (canRepeat) numbers.set(value, text)
        texts.push(value)
      }
      pairs.texts[pairs.count] = text
      pairs.columns[pairs.count] = column
      pairs.count += 1
    }
  })
  return { texts, ...groupColumnsByText(texts.length, pairs) }
}

/** More trigrams than this say nothing more about a text, and long texts would fill the lists. */
const maxTrigramsPerText = 128

/** Inverts folded texts into blocks, in order. `foldedAt` is called once per text. */
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

/** Counting sort of (trigram, member) pairs by trigram. `lengths` is scratch memory and is zeroed again. */
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

/** Pairs of a text and a column that holds it, by number. Only the first `count` are used. */
interface TextColumnPairs {
  readonly texts: Uint32Array
  readonly columns: Uint32Array
  readonly count: number
}

/** Counting sort of pairs by text, into the lists of the index. */
export const groupColumnsByText = (
  texts: number,
  pairs: TextColumnPairs,
): Pick<ValueIndexData, 'ownerStarts' | 'owners'> => {
  const ownerStarts = new Uint32Array(texts + 1)
  for (let pair = 0; pair < pairs.count; pair++) ownerStarts[pairs.texts[pair]! + 1]! += 1
  for (let text = 0; text < texts; text++) ownerStarts[text + 1]! += ownerStarts[text]!
  const next = ownerStarts.slice()
  const owners = new Uint32Array(pairs.count)
  for (let pair = 0; pair < pairs.count; pair++) owners[next[pairs.texts[pair]!]!++] = pairs.columns[pair]!
  return { ownerStarts, owners }
}

/** A newly built index has no removed texts. */
const noRemovedTexts: RemovedTexts = {
  texts: 0,
  trigrams: new Uint32Array(0),
  counts: new Uint32Array(0),
}

/** Counts the trigrams of texts that no column holds any more. */
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
