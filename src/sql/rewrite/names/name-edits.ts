import type { CommonTable, Expression, FromSource } from '../../tree/query-tree.ts'

/** What a name becomes in the statement that runs, by the part of the query that has the name. */
export interface NameEdits {
  /** Tables in FROM, and queries of WITH that are read there. */
  readonly tables: ReadonlyMap<FromSource, TableEdit>
  /** New names for derived tables and joins in brackets. */
  readonly aliases: ReadonlyMap<FromSource, string>
  readonly queries: ReadonlyMap<CommonTable, string>
  readonly columns: ReadonlyMap<Expression, ColumnEdit>
  /** New names in front of `.*`. */
  readonly stars: ReadonlyMap<Expression, string>
  /** Tables behind IN without brackets: SQL that stands in their place. */
  readonly listed: ReadonlyMap<Expression, string>
}

/** `sql` stands in place of the table's name: a full name, a query in brackets, or the new name of a query of WITH. */
export interface TableEdit {
  readonly sql: string
  /** Null if it needs none: what is turned around by PIVOT, for one. */
  readonly alias: string | null
}

/**
 * The first `replaced` parts of a name become `qualifier`; none of them if it only stands in front. `column` is how the
 * part behind them is written; null leaves it as it is.
 *
 * @example
 * `d.Amount` with `{ replaced: 1, qualifier: 'q1', column: 'amount' }` becomes `q1."amount"`.
 */
export interface ColumnEdit {
  readonly replaced: number
  readonly qualifier: string
  readonly column: string | null
}
