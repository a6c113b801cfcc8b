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

/** The first rows of a saved result, and how many it has in all. */
export interface ResultHead {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
  readonly rowCount: number
}

/** Reads heads of saved results, at most `rows` rows of each, by id; those that have expired are left out. */
export type LoadResultHeads = (
  resultIds: readonly string[],
  rows: number,
) => Promise<ReadonlyMap<string, ResultHead>>

/** Keeps the rows of one run and returns the id under which table, CSV and "how I got this" read them. */
export type SaveResult = (questionId: string, table: ResultTable) => Promise<string>

/** Reads a saved result back; null when it has expired. */
export type LoadResult = (resultId: string) => Promise<ResultTable | null>

/** A picture of a result. `altText` says in words what it shows, for those who cannot see it. */
export interface Chart {
  readonly png: Uint8Array
  readonly altText: string
}

/** Draws a result as a chart; null when its shape is not one that a chart shows better than a table. Never throws at data. */
export type DrawChart = (table: ResultTable) => Promise<Chart | null>

/**
 * How a result is best looked at: `series` runs over time and is a line, `categories` can be bars, `none` is for
 * a table alone.
 */
type ChartShape = 'series' | 'categories' | 'none'

/** Tells what kind of chart a result can be. Pure; looks at columns and rows, never at the question. */
export type FindChartShape = (table: ResultTable) => ChartShape
