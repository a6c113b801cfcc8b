import type { ColumnMeaning } from './metrics/answer-meaning.ts'

/**
 * One value of a result. Integers beyond 2^53 are `bigint`; decimals that a double cannot hold exactly stay `string`;
 * dates, times and timestamps are ISO text in the database's own precision; bytes are `Uint8Array`.
 */
export type Cell = null | boolean | number | bigint | string | Uint8Array

/** Kind of the values in a column, as detailed as questions, charts and filters need. */
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

/** A column of a result. Names can repeat: `select a.id, b.id` has two columns named `id`. */
export interface ResultColumn {
  readonly name: string
  readonly kind: ValueKind
  /** What it is to the person who asked, where that is known. Files keep names and values as they are. */
  readonly meaning?: ColumnMeaning
}

/** The rows of one statement, as arrays in the order of `columns`. `truncated` names the cap that cut them, if any. */
export interface ResultTable {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
  readonly truncated: 'rows' | 'bytes' | null
  readonly milliseconds: number
}

/** Limits of one statement, no matter who wrote it. */
export interface RunLimits {
  readonly timeoutMs: number
  readonly maxRows: number
  readonly maxBytes: number
}

/** Hash that tells results of one group apart by column order; row order and repeated rows do not matter. */
export type ColumnsKey = (table: ResultTable) => string

/** Hash that equal results share: a bag of rows in any column order; row order matters only if requested. */
export type ResultKey = (table: ResultTable, options: { readonly ordered: boolean }) => string

/** The first rows of a saved result, and its row count. */
export interface ResultHead {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly Cell[])[]
  readonly rowCount: number
}

/** Reads the first rows of saved results, at most `rows` each, by id; expired ones are left out. */
export type LoadResultHeads = (
  resultIds: readonly string[],
  rows: number,
) => Promise<ReadonlyMap<string, ResultHead>>

/** Saves the rows of a run and returns the id for table, CSV and "how I got this". */
export type SaveResult = (questionId: string, table: ResultTable) => Promise<string>

/** Reads a saved result; null if it has expired. */
export type LoadResult = (resultId: string) => Promise<ResultTable | null>

/** A picture of a result. `altText` describes it for people who cannot see it. */
export interface Chart {
  readonly png: Uint8Array
  readonly altText: string
}

/** Draws a result as a chart; null if a table shows it better. Never throws because of the data. */
export type DrawChart = (table: ResultTable) => Promise<Chart | null>

/** The data of a chart, for Slack to draw. */
export interface ChartData {
  readonly kind: 'pie' | 'bar' | 'line'
  readonly xTitle: string
  readonly yTitle: string
  readonly categories: readonly string[]
  /** Each with one value for each category. A pie has one series. */
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[]
}

/** The chart of a result as data; null if it needs more than that. Pure. */
export type FindChartData = (table: ResultTable) => ChartData | null

/** How a result is best viewed: `series` is a line over time, `categories` can be bars, `none` is only a table. */
type ChartShape = 'series' | 'categories' | 'none'

/** Finds the chart that fits a result. Pure; looks at columns and rows, never at the question. */
export type FindChartShape = (table: ResultTable) => ChartShape
