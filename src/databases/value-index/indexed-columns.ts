import type { Catalog, Column, Table } from '../../domain/catalog.ts'

/** Columns of longer texts hold prose, which nobody names in a question. */
const longestMean = 80

/** A column whose values are indexed, and the table it stands in. */
export interface IndexedColumnChoice {
  readonly table: Table
  readonly column: Column
}

/**
 * The columns whose values people may name: texts that are not prose and not opaque. The profile decides, not the
 * declared type or the name: what is called an id may hold codes that people say, and a VARCHAR may hold hashes.
 * Small columns come first, so that a cap on all values costs the fewest columns.
 */
export const chooseIndexedColumns = (catalog: Catalog): readonly IndexedColumnChoice[] =>
  catalog.tables
    .flatMap(table => table.columns.map(column => ({ table, column })))
    .filter(({ column }) => holdsNames(column))
    .sort((a, b) => distinctOf(a) - distinctOf(b))

const distinctOf = ({ column }: IndexedColumnChoice): number => column.profile?.distinctCount ?? 0

const holdsNames = ({ kind, profile, masked }: Column): boolean =>
  masked !== true &&
  (kind === 'text' || kind === 'unknown') &&
  profile !== null &&
  profile.distinctCount > 0 &&
  profile.meanLength <= longestMean &&
  !profile.mostFrequent.every(({ value }) => isOpaque(value))

/** UUIDs, hashes, and long tokens without a vowel's worth of sense: hexadecimal, or base 64 without any space. */
const isOpaque = (value: unknown): boolean =>
  typeof value === 'string' &&
  (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ||
    /^(0x)?(?=.*\d)[0-9a-f]{24,}$/i.test(value) ||
    /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/_=-]{32,}$/.test(value))

/** Values of one column: its most frequent ones where it has more. */
const maxColumnValues = 50_000

/** Values of all columns together, so that a lookup stays a matter of milliseconds. */
export const maxIndexedValues = 1_000_000

/** How many bytes the index and its texts may take, where nobody says otherwise. */
export const defaultValueBytes = 256 * 1024 * 1024

/** What a value of so many bytes takes in all: itself, a posting for each of its trigrams, and its places in tables. */
export const bytesOfValue = (length: number): number => 3 * length + 24

/** Codes are named less often than names are, so a column full of them gets a quarter of the places. */
const codeColumnShare = 0.25

/**
 * How many values of each column may enter. Every column gets the same number of places, as many as `valueBytes` and
 * `mostValues` allow and at most `maxColumnValues`: so columns with few values are served whole, and those with many
 * give way first. Columns of codes get fewer.
 */
export const allocateValueQuota = (
  chosen: readonly IndexedColumnChoice[],
  valueBytes: number,
): ReadonlyMap<IndexedColumnChoice, number> => {
  const wishes = chosen.map(one => ({
    one,
    values: estimateDistinctValues(one),
    bytes: bytesOfValue(one.column.profile?.meanLength ?? 0),
    share: holdsCodes(one) ? codeColumnShare : 1,
  }))
  const fits = (places: number): boolean => {
    let values = 0
    let bytes = 0
    for (const wish of wishes) {
      const served = Math.min(wish.values, Math.ceil(places * wish.share))
      values += served
      bytes += served * wish.bytes
    }
    return values <= maxIndexedValues && bytes <= valueBytes
  }
  let low = 0
  let high = maxColumnValues
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle - 1
  }
  // Where all fit, codes need not give way.
  return new Map(
    wishes.map(({ one, share }) => [one, Math.ceil(low * (low === maxColumnValues ? 1 : share))]),
  )
}

/** How many different values there are likely to be, where the profile is a sample's. */
export const estimateDistinctValues = ({ table, column: { profile } }: IndexedColumnChoice): number => {
  if (profile === null) return 0
  const { distinctCount, rowsRead } = profile
  if (!rowsRead || table.rowCount === null || rowsRead >= table.rowCount) return distinctCount
  // Values that come again and again have mostly been seen; values that hardly do go on like this.
  return distinctCount * 2 < rowsRead
    ? distinctCount
    : Math.round((distinctCount / rowsRead) * table.rowCount)
}

/** Texts that are all numbers, or are written alike with digits in them. */
const holdsCodes = ({ column: { profile } }: IndexedColumnChoice): boolean =>
  profile?.numericText === true || (profile?.format?.pattern.includes('9') ?? false)
