import type { ColumnEntry, TableEntry } from '../../schema/schema-index.ts'

const MAX_AMOUNT_COLUMNS = 3

/** Numbers of a table that words may be about without naming them: "orders over 500", "total ad costs". */
export const amountColumns = (table: TableEntry): readonly ColumnEntry[] =>
  table.columns
    .filter(column => column.traits.numeric && !column.traits.key && !column.traits.year)
    .slice(0, MAX_AMOUNT_COLUMNS)
