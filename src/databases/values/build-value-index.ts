import { foldText } from '../../lib/fold-text.ts'
import { buildBlocks } from './build-blocks.ts'
import { hashKey, matchingKey } from './matching-key.ts'
import { openValueIndex, type ValueIndex } from './open-value-index.ts'
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
export const buildValueIndex = (entries: readonly ColumnValues[]): ValueIndex => {
  const { texts, ownerStarts, owners } = gatherTexts(entries)
  const folded: string[] = new Array(texts.length)
  const keys = new Float64Array(texts.length)
  for (let text = 0; text < texts.length; text++) {
    const folding = foldText(texts[text]!)
    folded[text] = folding
    keys[text] = hashKey(matchingKey(folding)) * textLimit + text
  }
  const data: ValueIndexData = {
    columns: entries.map(({ table, column }) => ({ table, column })),
    ...packTexts(texts),
    ownerStarts,
    owners,
    keys: keys.sort(),
    blocks: buildBlocks(texts.length, text => folded[text]!),
  }
  return openValueIndex(data)
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
  return { texts, ...groupByText(texts.length, pairs) }
}

/** Counting sort of (text, column) pairs by text. */
const groupByText = (
  count: number,
  pairs: { readonly texts: Uint32Array; readonly columns: Uint32Array; readonly count: number },
): Pick<ValueIndexData, 'ownerStarts' | 'owners'> => {
  const ownerStarts = new Uint32Array(count + 1)
  for (let pair = 0; pair < pairs.count; pair++) ownerStarts[pairs.texts[pair]! + 1]! += 1
  for (let text = 0; text < count; text++) ownerStarts[text + 1]! += ownerStarts[text]!
  const next = ownerStarts.slice()
  const owners = new Uint32Array(pairs.count)
  for (let pair = 0; pair < pairs.count; pair++) owners[next[pairs.texts[pair]!]!++] = pairs.columns[pair]!
  return { ownerStarts, owners }
}

const packTexts = (texts: readonly string[]): Pick<ValueIndexData, 'textBytes' | 'textEnds'> => {
  const joined = Buffer.from(texts.join(''))
  const textEnds = new Uint32Array(texts.length)
  let end = 0
  for (let text = 0; text < texts.length; text++) {
    end += Buffer.byteLength(texts[text]!)
    textEnds[text] = end
  }
  return { textBytes: joined, textEnds }
}
