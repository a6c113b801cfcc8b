import type { Catalog, Column, Table } from '../../core/catalog.ts'

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
