import type { ColumnEntry, TableEntry } from '../../schema/schema-index.ts'

const MOST_SIZES = 3

/** Numbers of a table that words may be about without naming them: "orders over 500", "total ad costs". */
export const sizesOf = (table: TableEntry): readonly ColumnEntry[] =>
  table.columns
    .filter(column => column.traits.numeric && !column.traits.key && !column.traits.year)
    .slice(0, MOST_SIZES)
