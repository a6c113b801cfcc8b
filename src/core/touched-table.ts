/** A table that a statement reads, as the catalog declared it then: what of it has to stay for the statement to mean the same. */
export interface TouchedTable {
  readonly schema: string | null
  readonly name: string
  /** Whether all its columns are read: a new one changes the result then. */
  readonly whole: boolean
  /** The columns that are read, with their declared types. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** A view's query; null for a table, and where the database does not tell. */
  readonly definition: string | null
}
