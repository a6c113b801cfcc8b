import { foldText } from '../../lib/fold-text.ts'
import {
  buildIndexData,
  buildTrigramBlocks,
  type ColumnValues,
  countRemovedTexts,
} from './build-value-index.ts'
import { makeFindByKey, makeKeyList, matchingKey, mergeKeys } from './matching-key.ts'
import { eachOwner, groupColumnsByText, isHeld } from './text-owners.ts'
import {
  blockSize,
  type IndexedColumn,
  makeReadText,
  packTexts,
  textLimit,
  type ValueIndexData,
} from './value-index-data.ts'

/** How the columns have changed since the index was built. */
export interface ValueChanges {
  /** Whether an old column still holds the same values. All others are removed. */
  readonly keeps: (column: IndexedColumn) => boolean
  /** Columns that are new or hold other values, with all their values. They replace what the index has of them. */
  readonly changed: readonly ColumnValues[]
}

/** If more than this share of the texts belongs to no column any more, the index is rebuilt. */
const mostGone = 0.2

/**
 * Updates an index at a cost that depends on what has changed. Known texts keep their numbers and lists, and new ones
 * are appended. Texts that no column holds any more are only subtracted from the counts, until there are many of them
 * or a whole column is removed. The old index is not changed. Searching finds what it would find in a newly built
 * index, except that other texts may be chosen among more equally good ones than are compared per keyword.
 */
export const refreshIndexData = (old: ValueIndexData, { keeps, changed }: ValueChanges): ValueIndexData => {
  const replaced = new Set(changed.map(placeOf))
  const columns: IndexedColumn[] = []
  const numbers = old.columns.map(column =>
    replaced.has(placeOf(column)) || !keeps(column) ? -1 : columns.push(column) - 1,
  )
  // The column may have been masked, and then its texts must not stay in the stored file.
  const isForgotten = old.columns.some(column => !replaced.has(placeOf(column)) && !keeps(column))
  const added = addTexts(old)
  const texts: number[] = []
  const ownersOfTexts: number[] = []
  for (const { table, column, values } of changed) {
    const number = columns.push({ table, column }) - 1
    for (const value of values) {
      const text = added.numberOf(value)
      if (text === null) continue
      texts.push(text)
      ownersOfTexts.push(number)
    }
  }
  const count = old.textEnds.length + added.texts.length
  const owners = groupColumnsByText(
    count,
    columns.length,
    keepPairs(old, numbers, { texts, columns: ownersOfTexts }),
  )
  const gone: number[] = []
  for (let text = 0; text < count; text++) if (!isHeld(owners, text)) gone.push(text)
  const withTexts = { ...appendTexts(old, added.texts), columns, owners }
  if (gone.length > (isForgotten ? 0 : count * mostGone)) return buildIndexData(columnValues(withTexts))
  return {
    ...withTexts,
    common: old.common,
    gone: countRemovedTexts(gone, makeReadText(withTexts), old.common),
  }
}

/** The columns of an index with their values. */
export const columnValues = (
  data: Pick<ValueIndexData, 'columns' | 'textBytes' | 'textEnds' | 'owners'>,
  keeps: (column: IndexedColumn) => boolean = () => true,
): ColumnValues[] => {
  const textAt = makeReadText(data)
  const kept = data.columns.map(column => (keeps(column) ? { ...column, values: [] as string[] } : null))
  for (let text = 0; text < data.textEnds.length; text++) {
    eachOwner(data.owners, text, owner => {
      kept[owner]?.values.push(textAt(text))
    })
  }
  return kept.filter(column => column !== null)
}

const placeOf = ({ table, column }: IndexedColumn): string => JSON.stringify([table, column])

/** Finds the numbers of values, and numbers those that the index does not hold yet. */
const addTexts = (old: ValueIndexData) => {
  const textAt = makeReadText(old)
  const findSpelledSame = makeFindByKey(old.keys)
  const texts: string[] = []
  const numbers = new Map<string, number>()
  /** Null if the index is full. */
  const numberOf = (value: string): number | null => {
    const known =
      numbers.get(value) ??
      findSpelledSame(matchingKey(foldText(value)), Number.POSITIVE_INFINITY).find(
        text => textAt(text) === value,
      )
    if (known !== undefined) return known
    const number = old.textEnds.length + texts.length
    if (number >= textLimit - 1) return null
    texts.push(value)
    numbers.set(value, number)
    return number
  }
  return { texts, numberOf }
}

/** The pairs of the kept columns with their new numbers, and those of the changed columns. */
const keepPairs = (
  { owners, textEnds }: ValueIndexData,
  numbers: readonly number[],
  added: { readonly texts: readonly number[]; readonly columns: readonly number[] },
) => {
  const most = textEnds.length + owners.moreTexts.length + added.texts.length
  const pairs = { texts: new Uint32Array(most), columns: new Uint32Array(most), count: 0 }
  for (let text = 0; text < textEnds.length; text++) {
    eachOwner(owners, text, owner => {
      const column = numbers[owner]!
      if (column < 0) return
      pairs.texts[pairs.count] = text
      pairs.columns[pairs.count] = column
      pairs.count += 1
    })
  }
  pairs.texts.set(added.texts, pairs.count)
  pairs.columns.set(added.columns, pairs.count)
  return { ...pairs, count: pairs.count + added.texts.length }
}

/** Appends new texts to the old ones. Full blocks stay; the last one is rebuilt with the new texts. */
const appendTexts = (
  old: ValueIndexData,
  texts: readonly string[],
): Pick<ValueIndexData, 'textBytes' | 'textEnds' | 'keys' | 'blocks'> => {
  if (texts.length === 0) return old
  const before = old.textEnds.length
  const packed = packTexts(texts)
  const textBytes = new Uint8Array(old.textBytes.length + packed.textBytes.length)
  textBytes.set(old.textBytes)
  textBytes.set(packed.textBytes, old.textBytes.length)
  const textEnds = new Uint32Array(before + texts.length)
  textEnds.set(old.textEnds)
  for (let at = 0; at < texts.length; at++)
    textEnds[before + at] = old.textBytes.length + packed.textEnds[at]!
  const textAt = makeReadText({ textBytes, textEnds })
  const keys = makeKeyList(texts.length)
  texts.forEach((text, at) => {
    keys.add(foldText(text), before + at)
  })
  const full = Math.floor(before / blockSize)
  const first = full * blockSize
  return {
    textBytes,
    textEnds,
    keys: mergeKeys(old.keys, keys.sorted()),
    blocks: [
      ...old.blocks.slice(0, full),
      ...buildTrigramBlocks(textEnds.length - first, text => foldText(textAt(first + text)), {
        common: old.common,
      }),
    ],
  }
}
