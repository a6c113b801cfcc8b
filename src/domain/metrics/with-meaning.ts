import type { ResultTable } from '../result.ts'
import type { ColumnMeaning } from './answer-meaning.ts'

/** A result whose columns say what they are; null if it has other columns than its statement was to have. */
export const withMeaning = (table: ResultTable, meanings: readonly ColumnMeaning[]): ResultTable | null =>
  table.columns.length === meanings.length
    ? { ...table, columns: table.columns.map((column, at) => ({ ...column, meaning: meanings[at]! })) }
    : null
