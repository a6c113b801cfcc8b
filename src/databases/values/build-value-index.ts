import { foldText } from '../../lib/fold-text.ts'
import { buildTrigramBlocks } from './build-blocks.ts'
import { noRemovedTexts } from './count-gone.ts'
import { groupColumnsByText } from './group-owners.ts'
import { buildKeys } from './key-texts.ts'
import { openValueIndex, type ValueIndex } from './open-value-index.ts'
import { packTexts } from './pack-texts.ts'
import { type IndexedColumn, textLimit, type ValueIndexData } from './value-index-data.ts'

/** A column and its different values as text, the more important ones first. */
export interface ColumnValues extends IndexedColumn {
  readonly values: readonly string[]
}

/**
 * Builds the index over the values of many columns: an exact inverted index of the trigrams of their folded texts
 * (design/pipeline.md 2), and a table of matching keys for what is spelled the same. Texts past the 2,097,151st are
 * left out; the caller's caps keep far below that.
 */
export const buildValueIndex = (entries: readonly ColumnValues[]): ValueIndex =>
  openValueIndex(buildIndexData(entries))

/** The arrays of such an index. `onProgress` hears the share that is done, block by block. */
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

/** Different texts in the order of their first column, and for each the columns that hold it. */
const gatherTexts = (entries: readonly ColumnValues[]) => {
  // Within one column values are different by themselves; only a second column can bring a text again.
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
