/**
 * One value of a result. Whole numbers past 2^53 are `bigint`; decimals that a double cannot hold exactly stay
 * `string`; dates, times and timestamps are ISO text in the database's own precision; bytes are `Uint8Array`.
 */
export type Cell = null | boolean | number | bigint | string | Uint8Array

/** What kind of value a column holds, told apart as far as a question, a chart or a filter needs it. */
export type ValueKind =
  | 'integer'
  | 'number'
  | 'text'
  | 'boolean'
  | 'date'
  | 'timestamp'
  | 'time'
  | 'json'
  | 'blob'
  | 'unknown'

/** A column of a result. Names may repeat: `select a.id, b.id` has two columns called `id`. */
export interface ResultColumn {
  readonly name: string
  readonly kind: ValueKind
}

/** The rows of one statement, as arrays in the order of `columns`. `truncated` says which cap cut them, if any. */
export interface ResultTable {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
  readonly truncated: 'rows' | 'bytes' | null
  readonly milliseconds: number
}

/** Caps on one statement. All of them hold for every statement, whoever wrote it. */
export interface RunLimits {
  readonly timeoutMs: number
  readonly maxRows: number
  readonly maxBytes: number
}

/** Hash that tells results of one group apart by the order of their columns; row order and repeated rows do not count. */
export type ColumnsKey = (table: ResultTable) => string

/** Hash under which equal results meet: bag of rows, column order free, row order kept only when it was asked for. */
export type ResultKey = (table: ResultTable, options: { readonly ordered: boolean }) => string
