import { foldText } from '../../lib/fold-text.ts'
import { hashText, makeKeyList } from './matching-key.ts'
import { groupColumnsByText } from './text-owners.ts'
import {
  collectTrigrams,
  findCommonTrigrams,
  gramCodes,
  makeCommonTrigrams,
  maxTrigramsPerText,
} from './trigrams.ts'
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
 * and a table of matching keys for texts that are spelled the same. Texts beyond the 16,777,215th are left out; the
 * caller's limits are below that.
 */
export const buildValueIndex = (entries: readonly ColumnValues[]): ValueIndex =>
  openValueIndex(buildIndexData(entries))

interface BuildOptions {
  /** Called after each block with the share that is done. */
  readonly onProgress?: (share: number) => void
  /** With more texts than this, common trigrams are told apart by a fourth letter. */
  readonly manyTexts?: number
}

/** Builds the arrays of the index. */
export const buildIndexData = (
  entries: readonly ColumnValues[],
  { onProgress, manyTexts }: BuildOptions = {},
): ValueIndexData => {
  const { texts, owners } = gatherTexts(entries)
  const keys = makeKeyList(texts.length)
  const common = findCommonTrigrams(texts.length, text => foldText(texts[text]!), manyTexts)
  // Folded texts are not kept: of ten million they would take more memory than the index.
  const blocks = buildTrigramBlocks(
    texts.length,
    text => {
      const folded = foldText(texts[text]!)
      keys.add(folded, text)
      return folded
    },
    { common, ...(onProgress && { onProgress }) },
  )
  return {
    columns: entries.map(({ table, column }) => ({ table, column })),
    ...packTexts(texts),
    owners,
    keys: keys.sorted(),
    common,
    blocks,
    gone: noRemovedTexts,
  }
}

/** Distinct texts in the order of their first column, each with the columns that hold it. */
const gatherTexts = (entries: readonly ColumnValues[]) => {
  const most = entries.reduce((sum, entry) => sum + entry.values.length, 0)
  const texts: string[] = []
  // The values of one column are distinct already; only a second column can repeat a text.
  const numberOf =
    entries.length > 1 ? makeNumberTexts(texts, most) : (value: string) => texts.push(value) - 1
  const pairs = { texts: new Uint32Array(most), columns: new Uint32Array(most), count: 0 }
  entries.forEach(({ values }, column) => {
    for (const value of values) {
      if (texts.length >= textLimit - 1) break
      pairs.texts[pairs.count] = numberOf(value)
      pairs.columns[pairs.count] = column
      pairs.count += 1
    }
  })
  return { texts, owners: groupColumnsByText(texts.length, entries.length, pairs) }
}

/**
 * Makes the numbering of distinct texts, which appends new ones to `texts`. A table of numbers takes a tenth of the
 * memory of a `Map` with ten million texts.
 */
const makeNumberTexts = (texts: string[], most: number): ((value: string) => number) => {
  const places = 2 ** Math.ceil(Math.log2(most * 1.5 + 2))
  const table = new Int32Array(places).fill(-1)
  return value => {
    let place = hashText(value) & (places - 1)
    for (; table[place]! >= 0; place = (place + 1) & (places - 1))
      if (texts[table[place]!] === value) return table[place]!
    table[place] = texts.length
    return texts.push(value) - 1
  }
}

/** Inverts folded texts into blocks, in order. `foldedAt` is called once per text. */
export const buildTrigramBlocks = (
  count: number,
  foldedAt: (text: number) => string,
  options: { readonly common: Uint32Array; readonly onProgress?: (share: number) => void },
): TrigramBlock[] => {
  const common = makeCommonTrigrams(options.common)
  const lengths = new Uint32Array(gramCodes)
  const ends = new Uint32Array(blockSize)
  let flat = new Uint32Array(Math.min(count, blockSize) * 32 + maxTrigramsPerText)
  const blocks: TrigramBlock[] = []

  for (let first = 0; first < count; first += blockSize) {
    const size = Math.min(blockSize, count - first)
    let total = 0
    for (let member = 0; member < size; member++) {
      if (flat.length < total + maxTrigramsPerText) flat = enlarge(flat)
      total += collectTrigrams(foldedAt(first + member), flat, total, maxTrigramsPerText, common)
      ends[member] = total
    }
    blocks.push(invert(flat.subarray(0, total), ends.subarray(0, size), lengths))
    options.onProgress?.((first + size) / count)
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
  for (let trigram = 0, index = 0, start = 0; trigram < gramCodes; trigram++) {
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
  common: Uint32Array,
): RemovedTexts => {
  const isCommon = makeCommonTrigrams(common)
  const counts = new Map<number, number>()
  const found = new Uint32Array(maxTrigramsPerText)
  for (const text of texts) {
    const count = collectTrigrams(foldText(textAt(text)), found, 0, maxTrigramsPerText, isCommon)
    for (let at = 0; at < count; at++) counts.set(found[at]!, (counts.get(found[at]!) ?? 0) + 1)
  }
  const sorted = [...counts].sort(([a], [b]) => a - b)
  return {
    texts: texts.length,
    trigrams: Uint32Array.from(sorted, ([trigram]) => trigram),
    counts: Uint32Array.from(sorted, ([, count]) => count),
  }
}
