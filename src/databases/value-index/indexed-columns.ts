import type { Catalog, Column, Table } from '../../domain/catalog.ts'

/** Columns with longer texts hold prose, which nobody names in a question. */
const longestMean = 80

/** Values of tables with at most this many rows are read or searched in every row; larger ones are sampled. */
export const rowsReadWhole = 2_000_000

/** A column whose values are indexed, and its table. */
export interface IndexedColumnChoice {
  readonly table: Table
  readonly column: Column
}

/**
 * The columns whose values people may name: texts that are neither prose nor opaque. The profile decides, not the
 * declared type or the name: a column called id may hold codes that people use, and a VARCHAR may hold hashes. Small
 * columns come first, so that a limit on all values costs the fewest columns.
 */
export const chooseIndexedColumns = (catalog: Catalog): readonly IndexedColumnChoice[] =>
  catalog.tables
    .flatMap(table => table.columns.map(column => ({ table, column })))
    .filter(({ column }) => holdsNames(column))
    .sort((a, b) => distinctOf(a) - distinctOf(b))

const distinctOf = ({ column }: IndexedColumnChoice): number => column.profile?.distinctCount ?? 0

const holdsNames = (column: Column): boolean => holdsTexts(column) && !holdsOpaqueTexts(column)

/** Whether all of a column's frequent values are opaque. */
export const holdsOpaqueTexts = ({ profile }: Column): boolean =>
  profile?.mostFrequent.every(({ value }) => isOpaque(value)) ?? false

/** Whether a column holds texts that somebody may write into a question, opaque ones too: those are pasted. */
export const holdsTexts = ({ kind, profile, masked }: Column): boolean =>
  masked !== true &&
  (kind === 'text' || kind === 'unknown') &&
  profile !== null &&
  profile.distinctCount > 0 &&
  profile.meanLength <= longestMean

/** UUIDs, hashes, and other long tokens that read as nothing: hexadecimal, or base 64 without a space. */
export const isOpaque = (value: unknown): boolean =>
  typeof value === 'string' &&
  (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value) ||
    /^(0x)?(?=.*\d)[0-9a-f]{24,}$/i.test(value) ||
    /^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9+/_=-]{32,}$/.test(value))

/** At most this many values of one column: the most frequent ones. */
const maxColumnValues = 50_000

/** At most this many values of all columns together, so that a lookup takes milliseconds. */
export const maxIndexedValues = 10_000_000

/** How many bytes the index and its texts take by default at most. */
export const defaultValueBytes = 256 * 1024 * 1024

/** What a value of this length takes in all: its text, a posting for each of its trigrams, and its table entries. */
export const bytesOfValue = (length: number): number => 3 * length + 24

/** Questions name codes less often than names, so a column of codes gets a quarter of the quota. */
const codeColumnShare = 0.25

/**
 * How many values of each column may enter. Every column gets the same quota, as large as `valueBytes` and
 * `mostValues` allow and at most `maxColumnValues`, so columns with few values enter whole. Columns of codes get
 * less.
 */
export const allocateValueQuota = (
  chosen: readonly IndexedColumnChoice[],
  valueBytes: number,
): ReadonlyMap<IndexedColumnChoice, number> => {
  const requests = chosen.map(one => ({
    one,
    values: estimateDistinctValues(one),
    bytes: bytesOfValue(one.column.profile?.meanLength ?? 0),
    share: holdsCodes(one) ? codeColumnShare : 1,
  }))
  const fits = (places: number): boolean => {
    let values = 0
    let bytes = 0
    for (const request of requests) {
      const served = Math.min(request.values, Math.ceil(places * request.share))
      values += served
      bytes += served * request.bytes
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
  // If all values fit, codes get a full quota.
  return new Map(
    requests.map(({ one, share }) => [one, Math.ceil(low * (low === maxColumnValues ? 1 : share))]),
  )
}

/** Estimates the number of distinct values if the profile comes from a sample. */
export const estimateDistinctValues = ({ table, column: { profile } }: IndexedColumnChoice): number => {
  if (profile === null) return 0
  const { distinctCount, rowsRead } = profile
  if (!rowsRead || table.rowCount === null || rowsRead >= table.rowCount) return distinctCount
  // If values repeat, the sample has seen most of them; if they hardly do, the rest of the table has as many again.
  return distinctCount * 2 < rowsRead
    ? distinctCount
    : Math.round((distinctCount / rowsRead) * table.rowCount)
}

/** Texts that are all numbers, or that share one pattern with digits. */
const holdsCodes = ({ column: { profile } }: IndexedColumnChoice): boolean =>
  profile?.numericText === true || (profile?.format?.pattern.includes('9') ?? false)
